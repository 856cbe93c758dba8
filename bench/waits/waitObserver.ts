import { setTimeout as wait } from 'node:timers/promises'
import type { SendRaw } from '../../checks/kill/consoleClient.ts'

/** Milliseconds between two small requests of one reader. */
const REQUEST_INTERVAL_MS = 10
const SMALL_REQUESTS = ['/api/session', '/api/runs?limit=20']
/** A stream of ten seconds; the next one begins when it ends. */
const FRAMES_PER_SECOND = 20
const FRAMES_PER_STREAM = 200

/** Milliseconds. */
export interface ObservedWaits {
  longestRequest: number
  /** Of two frames of a stream, beyond the time in which the platform sends them; null where no stream was read. */
  longestGap: number | null
}

/**
 * People who work meanwhile: one asks for their session, one for the list of runs, again and again, and one reads a stream of
 * 20 frames a second.
 * @param chat the path of a chat key, null for no stream
 * @returns a function that waits until all of them are done
 */
export function observeWaits(sendRaw: SendRaw, chat: string | null): () => Promise<ObservedWaits> {
  let isRunning = true
  let [longestRequest, longestGap] = [0, 0]
  const repeatRequest = async (path: string) => {
    while (isRunning) {
      const began = performance.now()
      await (await sendRaw('GET', path)).arrayBuffer()
      longestRequest = Math.max(longestRequest, performance.now() - began)
      await wait(REQUEST_INTERVAL_MS)
    }
  }
  const repeatStream = async (path: string) => {
    while (isRunning) longestGap = Math.max(longestGap, await readStream(sendRaw, path))
  }
  const running = Promise.all([...SMALL_REQUESTS.map(repeatRequest), ...(chat === null ? [] : [repeatStream(chat)])])
  // Thrown to whoever waits for the end; until then it must not end the process.
  running.catch(() => undefined)
  return async () => {
    isRunning = false
    await running
    return { longestRequest, longestGap: chat === null ? null : longestGap }
  }
}

/** The longest time between two chunks of a stream in milliseconds, without the time between two frames. */
async function readStream(sendRaw: SendRaw, path: string): Promise<number> {
  const { body } = await sendRaw('POST', path, {
    query: 'How long does it take?',
    inputs: { n: FRAMES_PER_STREAM, rate: FRAMES_PER_SECOND },
    user: 'bench',
    response_mode: 'streaming',
  })
  if (!body) throw new Error('the stream has no body')
  let longest = 0
  let last: number | null = null
  for await (const _ of body) {
    const now = performance.now()
    if (last !== null) longest = Math.max(longest, now - last - 1000 / FRAMES_PER_SECOND)
    last = now
  }
  return longest
}
