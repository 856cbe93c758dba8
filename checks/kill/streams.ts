import { setTimeout as wait } from 'node:timers/promises'
import { type Frame, isLive, type Run } from '#contract/runs.ts'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { addApps, type Send, signIn } from './console.ts'
import { answerStreams, talkOn, timesAsked } from './upstream.ts'
import { type Asked, Browser } from './browser.ts'

export interface StreamKilling {
  cycles: number
  /** Runs that are under way at each kill. */
  streams: number
  /** Whether it is stopped (SIGTERM) and not killed (`kill -9`). */
  isStopped?: boolean
  /** What the server is started with, beside the defaults. */
  env?: Record<string, string>
  tell?: (cycle: StreamCycle) => void
}
/** What is found of runs afterwards. */
export interface Looked {
  /** Frames that browsers had been shown. */
  shown: number
  /** Milliseconds until every run had ended. */
  settled_ms: number
  /** How often runs ended as what. */
  ends: Record<string, number>
  /** What is wrong, a line for each run. */
  problems: string[]
}
/** What one kill came to. */
export interface StreamCycle extends Looked {
  /** Milliseconds that the process took to end. */
  ended_ms: number
}

/** The kill comes when so many frames of each stream have been shown on average, or fewer. */
const FRAMES = 30
/** Milliseconds: the latest kill after the first request, and the time by which every run has to have ended. */
const LATEST = 8_000
const LEGAL = 10_000
/** Milliseconds that a stop may take. */
const STOP = 30_000
/** One stop of so many is one under streams that do not end by themselves. */
const ENDLESS = 4

/**
 * Has a real Loupe read so many streams at once, kills it with `kill -9` at a random moment, and starts it again. What a
 * browser was shown must be in the database, to the letter; each run must have ended soon after the start, as it was said
 * to have ended; and the platform must not have met any request twice. The same of a server that is stopped, which must end with 0.
 */
export async function killWhileStreaming({
  cycles,
  streams,
  isStopped = false,
  env = {},
  tell,
}: StreamKilling): Promise<StreamCycle[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await new Loupe({ PLATFORM: 'off', ...env }).start()
  try {
    const { cookie, send } = await signIn(loupe)
    const keys = await addApps(send, platform.url)
    const all: StreamCycle[] = []
    for (let number = 1; number <= cycles; number++) {
      platform.seen.length = 0
      const isEndless = isStopped && number % ENDLESS === 0
      if (isEndless) talkOn(platform)
      else platform.script = answerStreams
      const browser = await Browser.open(loupe.url, cookie, keys)
      const asked = browser.askMany(String(number), streams, isEndless ? 3 : undefined)
      const shown = () => asked.reduce((sum, one) => sum + one.shown.size, 0)
      const moment = Math.random() * streams * FRAMES
      const begun = performance.now()
      while (shown() < moment && performance.now() - begun < LATEST) await wait(5)
      await wait(Math.random() * 50)
      const killed = performance.now()
      const code = await (isStopped ? loupe.stop() : loupe.kill())
      const ended_ms = Math.round(performance.now() - killed)
      await Promise.all(asked.map(({ over }) => over))
      await loupe.start()
      const cycle = { ended_ms, ...(await look(send, asked, platform)) }
      if (isStopped && code !== 0) cycle.problems.push(`the server ended with ${code}`)
      if (isEndless && Object.keys(cycle.ends).some((end) => !['interrupted', 'never came'].includes(end)))
        cycle.problems.push('a stream that does not end was not interrupted')
      if (ended_ms > STOP) cycle.problems.push(`the server took ${ended_ms} ms to stop`)
      tell?.(cycle)
      all.push(cycle)
    }
    return all
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

export async function look(send: Send, asked: readonly Asked[], platform: ScriptedPlatform): Promise<Looked> {
  const began = performance.now()
  const kept = new Map<string, Run | null>()
  while (kept.size < asked.length && performance.now() - began < LEGAL) {
    const open = asked.filter(({ id }) => !kept.has(id))
    await Promise.all(
      open.map(async ({ id }) => {
        const run = await readRun(send, id)
        if (!run || !isLive(run.status)) kept.set(id, run)
      }),
    )
    if (kept.size < asked.length) await wait(50)
  }
  const settled_ms = Math.round(performance.now() - began)
  const times = timesAsked(platform)
  const problems: string[] = []
  const ends: Record<string, number> = {}
  for (const one of asked) {
    const run = kept.get(one.id)
    const end = run?.status ?? (run === null ? 'never came' : 'live')
    ends[end] = (ends[end] ?? 0) + 1
    const wrong = wrongWith(one, run, times.get(one.name) ?? 0)
    if (wrong) problems.push(`${one.name} (${one.id}) ${wrong}`)
    else if (run) problems.push(...(await missingOf(send, one)))
  }
  return { shown: asked.reduce((sum, { shown }) => sum + shown.size, 0), settled_ms, ends, problems }
}

/** Null for nothing. */
function wrongWith({ shown, accepted, end }: Asked, run: Run | null | undefined, times: number): string | null {
  if (times > 1) return `was sent ${times} times`
  if (run === undefined) return `has not ended after ${LEGAL} ms`
  if (run === null) {
    if (times > 0) return 'was sent and is not in the ledger'
    return accepted || shown.size > 0 ? 'was accepted and is not in the ledger' : null
  }
  // A workflow's end may be told by the platform afterwards, and then it is no longer what broke off.
  if (end && end !== run.status && end !== 'interrupted') return `ended as ${end} and is now ${run.status}`
  return null
}

async function missingOf(send: Send, { id, name, shown }: Asked): Promise<string[]> {
  const frames: Frame[] = []
  for (;;) {
    const after = frames.at(-1)?.seq ?? 0
    const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?after=${after}&limit=500`)
    if (data.length === 0) break
    frames.push(...data)
  }
  const gap = frames.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap >= 0) return [`${name} (${id}) has a gap before frame ${frames[gap]?.seq}`]
  return [...shown]
    .filter(([seq, block]) => frames[seq - 1]?.block.trim() !== block.trim())
    .map(([seq]) => `${name} (${id}) has lost frame ${seq}, which was shown`)
}

async function readRun(send: Send, id: string): Promise<Run | null> {
  try {
    return await send<Run>('GET', `/api/runs/${id}`)
  } catch (error) {
    if (String(error).includes(': 404 ')) return null
    throw error
  }
}
