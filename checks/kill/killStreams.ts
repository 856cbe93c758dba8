import { setTimeout as wait } from 'node:timers/promises'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { addAppKeys, createPreparedLoupe, readAllFrames, type SendRequest, signIn } from './consoleClient.ts'
import { answerStreams, streamForever, countRequests } from './streamingPlatform.ts'
import { type RequestedRun, BrowserClient } from './browserClient.ts'

export interface StreamKillOptions {
  cycles: number
  /** Active runs at each kill. */
  streams: number
  /** Whether it is stopped (SIGTERM) and not killed (`kill -9`). */
  isStopped?: boolean
  /** Additional environment of the server. */
  env?: Record<string, string>
  tell?: (cycle: StreamKillCycle) => void
}
/** Results of the runs after a kill. */
export interface RunInspection {
  /** Number of frames that were shown to browsers. */
  shown: number
  /** Milliseconds until every run had ended. */
  settled_ms: number
  /** Number of runs by final status. */
  ends: Record<string, number>
  /** Errors, one line per run. */
  problems: string[]
}
/** Result of one kill. */
export interface StreamKillCycle extends RunInspection {
  /** Milliseconds until the process exited. */
  ended_ms: number
}

/** The kill comes when so many frames of each stream have been shown on average, or fewer. */
const FRAMES_BEFORE_KILL = 30
/** Milliseconds: the latest kill after the first request, and the time by which every run has to have ended. */
const MAX_KILL_DELAY_MS = 8_000
const MAX_END_DELAY_MS = 10_000
/** Time limit of a stop, in ms. */
const STOP_TIMEOUT_MS = 30_000
/** One stop of so many is one under streams that do not end by themselves. */
const STOPS_PER_ENDLESS = 4

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
}: StreamKillOptions): Promise<StreamKillCycle[]> {
  const platform = await ScriptedPlatform.start()
  const loupe = await (await createPreparedLoupe({ PLATFORM: 'off', ...env })).start()
  try {
    const { cookie, send } = await signIn(loupe)
    const keys = await addAppKeys(send, platform.url)
    const all: StreamKillCycle[] = []
    for (let number = 1; number <= cycles; number++) {
      platform.requests.length = 0
      const isEndless = isStopped && number % STOPS_PER_ENDLESS === 0
      if (isEndless) streamForever(platform)
      else platform.script = answerStreams
      const browser = await BrowserClient.open(loupe.url, cookie, keys)
      const requestedRuns = browser.startRuns(String(number), streams, isEndless ? 3 : undefined)
      const shown = () => requestedRuns.reduce((sum, one) => sum + one.shownFrames.size, 0)
      const moment = Math.random() * streams * FRAMES_BEFORE_KILL
      const begun = performance.now()
      while (shown() < moment && performance.now() - begun < MAX_KILL_DELAY_MS) await wait(5)
      await wait(Math.random() * 50)
      const killed = performance.now()
      const code = await (isStopped ? loupe.stop() : loupe.kill())
      const ended_ms = Math.round(performance.now() - killed)
      await Promise.all(requestedRuns.map(({ done }) => done))
      await loupe.start()
      const cycle = { ended_ms, ...(await inspectRuns(send, requestedRuns, platform)) }
      if (isStopped && code !== 0) cycle.problems.push(`the server ended with ${code}`)
      if (isEndless && Object.keys(cycle.ends).some((end) => !['interrupted', 'never came'].includes(end)))
        cycle.problems.push('a stream that does not end was not interrupted')
      if (ended_ms > STOP_TIMEOUT_MS) cycle.problems.push(`the server took ${ended_ms} ms to stop`)
      tell?.(cycle)
      all.push(cycle)
    }
    return all
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

export async function inspectRuns(
  send: SendRequest,
  requestedRuns: readonly RequestedRun[],
  platform: ScriptedPlatform,
): Promise<RunInspection> {
  const began = performance.now()
  const storedRuns = new Map<string, Run | null>()
  while (storedRuns.size < requestedRuns.length && performance.now() - began < MAX_END_DELAY_MS) {
    const open = requestedRuns.filter(({ id }) => !storedRuns.has(id))
    await Promise.all(
      open.map(async ({ id }) => {
        const run = await readRun(send, id)
        if (!run || !isActiveStatus(run.status)) storedRuns.set(id, run)
      }),
    )
    if (storedRuns.size < requestedRuns.length) await wait(50)
  }
  const settled_ms = Math.round(performance.now() - began)
  const sentCounts = countRequests(platform)
  const problems: string[] = []
  const ends: Record<string, number> = {}
  for (const one of requestedRuns) {
    const run = storedRuns.get(one.id)
    const end = run?.status ?? (run === null ? 'never came' : 'live')
    ends[end] = (ends[end] ?? 0) + 1
    const wrong = findRunProblem(one, run, sentCounts.get(one.name) ?? 0)
    if (wrong) problems.push(`${one.name} (${one.id}) ${wrong}`)
    else if (run) problems.push(...(await findMissingFrames(send, one)))
  }
  return {
    shown: requestedRuns.reduce((sum, { shownFrames }) => sum + shownFrames.size, 0),
    settled_ms,
    ends,
    problems,
  }
}

/** Null for nothing. */
function findRunProblem(
  { shownFrames, isAccepted, end }: RequestedRun,
  run: Run | null | undefined,
  sentCount: number,
): string | null {
  if (sentCount > 1) return `was sent ${sentCount} times`
  if (run === undefined) return `has not ended after ${MAX_END_DELAY_MS} ms`
  if (run === null) {
    if (sentCount > 0) return 'was sent and is not in the ledger'
    return isAccepted || shownFrames.size > 0 ? 'was accepted and is not in the ledger' : null
  }
  // A workflow's end may be told by the platform afterwards, and then it is no longer what broke off.
  if (end && end !== run.status && end !== 'interrupted') return `ended as ${end} and is now ${run.status}`
  return null
}

async function findMissingFrames(send: SendRequest, { id, name, shownFrames }: RequestedRun): Promise<string[]> {
  const frames = await readAllFrames(send, id)
  const gap = frames.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap >= 0) return [`${name} (${id}) has a gap before frame ${frames[gap]?.seq}`]
  return [...shownFrames]
    .filter(([seq, block]) => frames[seq - 1]?.block.trim() !== block.trim())
    .map(([seq]) => `${name} (${id}) has lost frame ${seq}, which was shown`)
}

async function readRun(send: SendRequest, id: string): Promise<Run | null> {
  try {
    return await send<Run>('GET', `/api/runs/${id}`)
  } catch (error) {
    if (String(error).includes(': 404 ')) return null
    throw error
  }
}
