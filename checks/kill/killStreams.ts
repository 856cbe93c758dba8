import { setTimeout as wait } from 'node:timers/promises'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { BrowserClient, type RequestedRun } from './browserClient.ts'
import { type KillOptions, pollUntil, readAllFrames, type SendRequest, withScriptedConsole } from './consoleClient.ts'
import { answerStreams, countRequests, streamForever } from './streamingPlatform.ts'

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
 * to have ended; and the platform must not have met any request twice. The same of a server that is stopped (SIGTERM), which must end with 0.
 */
export const killWhileStreaming = ({
  cycles,
  streams,
  isStopped = false,
  env = {},
  onCycle,
}: KillOptions<StreamKillCycle> & { streams: number; isStopped?: boolean }): Promise<StreamKillCycle[]> =>
  withScriptedConsole(env, async ({ platform, loupe, cookie, send, keys }) => {
    const all: StreamKillCycle[] = []
    for (let number = 1; number <= cycles; number++) {
      platform.requests.length = 0
      const isEndless = isStopped && number % STOPS_PER_ENDLESS === 0
      if (isEndless) streamForever(platform)
      else platform.script = answerStreams
      const browser = await BrowserClient.open(loupe.url, cookie, keys)
      const runs = browser.startRuns(String(number), streams, isEndless ? 3 : undefined)
      await waitForShownFrames(runs, FRAMES_BEFORE_KILL, MAX_KILL_DELAY_MS)
      await wait(Math.random() * 50)
      const killedAt = performance.now()
      const code = await (isStopped ? loupe.stop() : loupe.kill())
      const ended_ms = Math.round(performance.now() - killedAt)
      await Promise.all(runs.map(({ done }) => done))
      await loupe.start()
      const cycle = { ended_ms, ...(await inspectRuns(send, runs, platform)) }
      if (isStopped && code !== 0) cycle.problems.push(`the server ended with ${code}`)
      if (isEndless && Object.keys(cycle.ends).some((end) => !['interrupted', 'never came'].includes(end)))
        cycle.problems.push('a stream that does not end was not interrupted')
      if (ended_ms > STOP_TIMEOUT_MS) cycle.problems.push(`the server took ${ended_ms} ms to stop`)
      onCycle?.(cycle)
      all.push(cycle)
    }
    return all
  })

/** Waits for a random moment: until up to `maxFrames` of each run have been shown on average. @returns how many were shown */
export async function waitForShownFrames(
  runs: readonly Pick<RequestedRun, 'shownFrames'>[],
  maxFrames: number,
  timeoutMs: number,
): Promise<number> {
  const count = () => Promise.resolve(runs.reduce((sum, { shownFrames }) => sum + shownFrames.size, 0))
  const moment = Math.random() * runs.length * maxFrames
  return pollUntil(count, (shown) => shown >= moment, { intervalMs: 5, timeoutMs })
}

export async function inspectRuns(
  send: SendRequest,
  requestedRuns: readonly RequestedRun[],
  platform: ScriptedPlatform,
): Promise<RunInspection> {
  const began = performance.now()
  const stored = new Map<string, Run | null>()
  const readOpenRuns = async () => {
    const open = requestedRuns.filter(({ id }) => !stored.has(id))
    const runs = await Promise.all(open.map(async ({ id }) => [id, await readRun(send, id)] as const))
    for (const [id, run] of runs) if (!run || !isActiveStatus(run.status)) stored.set(id, run)
  }
  await pollUntil(readOpenRuns, () => stored.size === requestedRuns.length, { timeoutMs: MAX_END_DELAY_MS })
  const result: RunInspection = { shown: 0, settled_ms: Math.round(performance.now() - began), ends: {}, problems: [] }
  const sentCounts = countRequests(platform)
  for (const one of requestedRuns) {
    const run = stored.get(one.id)
    const end = run?.status ?? (run === null ? 'never came' : 'live')
    result.ends[end] = (result.ends[end] ?? 0) + 1
    result.shown += one.shownFrames.size
    const problem = findRunProblem(one, run, sentCounts.get(one.name) ?? 0)
    const found = problem ? [problem] : run ? await findLostFrames(send, one) : []
    result.problems.push(...found.map((text) => `${one.name} (${one.id}) ${text}`))
  }
  return result
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

/** Frames that were shown and are not stored as they were, and gaps between those that are stored. Of a run that was watched to its end also frames that were not shown. */
export async function findLostFrames(
  send: SendRequest,
  { id, shownFrames }: Pick<RequestedRun, 'id' | 'shownFrames'>,
  isComplete = false,
): Promise<string[]> {
  const frames = await readAllFrames(send, id)
  const gap = frames.findIndex(({ seq }, index) => seq !== index + 1)
  if (gap >= 0) return [`has a gap before frame ${frames[gap]?.seq}`]
  const lost = [...shownFrames].filter(([seq, block]) => frames[seq - 1]?.block.trim() !== block.trim())
  return [
    ...lost.map(([seq]) => `has lost frame ${seq}, which was shown`),
    ...(isComplete && frames.length !== shownFrames.size
      ? [`has ${frames.length} frames, of which ${shownFrames.size} were shown`]
      : []),
  ]
}

const readRun = (send: SendRequest, id: string): Promise<Run | null> =>
  send<Run>('GET', `/api/runs/${id}`).catch((error: unknown) => {
    if (String(error).includes(': 404 ')) return null
    throw error
  })
