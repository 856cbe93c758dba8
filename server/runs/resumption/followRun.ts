import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { ProblemError } from '#contract/problem.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import { getWorkflow, mayHaveFurtherEvents, type RunIds } from '../../ledger/runStatus.ts'
import type { LiveRun } from '../liveRun.ts'
import type { RunOrder } from '../runOrder.ts'
import type { StreamReader } from '../streaming/streamReader.ts'
import { openRunEvents } from './openRunEvents.ts'
import { RepeatFilter } from './repeatFilter.ts'

/**
 * Milliseconds before each attempt to resume an active run; news of the run restart the sequence. Platforms send only
 * pings to a reader that connects at the moment another one disconnects.
 */
const ACTIVE_RETRY_DELAYS_MS = [1_000, 1_000, 2_000, 5_000]
/** Milliseconds of nothing but pings after which the platform is asked whether the run is still active. */
export const QUIET_LIMIT_MS = 15_000
/** Connections with news after which the delays are no longer reset: a platform may cut each one. */
const MAX_CONNECTIONS = 100
/**
 * Milliseconds before each attempt to follow a paused run; the last one is repeated. After news the second one is
 * next.
 */
const PAUSED_RETRY_DELAYS_MS = [0, 1_000, 2_000, 5_000, 30_000]

/**
 * `over`: the run has ended or paused. `refused`: the platform has no events of this run. `lost`: the connections
 * broke. `stopped`: by the signal.
 */
export type FollowResult = 'over' | 'refused' | 'lost' | 'stopped'

export interface FollowedRun {
  order: RunOrder
  run: LiveRun
  streamReader: StreamReader
  onRunIds: (ids: RunIds) => void
  signal: AbortSignal
  hasEnded: () => Promise<boolean>
  /** The platform has reported the state of the run: all further events are received. */
  onFollowed?: () => void
  /**
   * For a paused run, which is followed until it continues and then until its end or its next pause: called when it
   * continues, before its first frame is read.
   */
  onResumed?: () => void
}

/**
 * Reads the further events of a run from the platform, over as many connections as necessary. Events that are stored
 * already are skipped; what was missed between two connections is recorded in the reader's `gaps`.
 */
export async function followRun(followed: FollowedRun, upstream: UpstreamClient): Promise<FollowResult> {
  const quietBodies: Readable[] = []
  try {
    return await readAll(followed, upstream, quietBodies)
  } finally {
    for (const body of quietBodies) body.destroy()
  }
}

/**
 * @param quietBodies receives connections that stay open without being read: a platform ends all readers of a run
 * when one disconnects
 */
async function readAll(
  followed: FollowedRun,
  upstream: UpstreamClient,
  quietBodies: Readable[],
): Promise<FollowResult> {
  const { run, streamReader, signal, onResumed } = followed
  const delaysMs = onResumed ? PAUSED_RETRY_DELAYS_MS : ACTIVE_RETRY_DELAYS_MS
  let connections = 0
  for (let attempt = 0, isReplacement = false; ; attempt++) {
    const delayMs = delaysMs[attempt] ?? (onResumed ? delaysMs.at(-1) : undefined)
    if (delayMs === undefined) return 'lost'
    await wait(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return 'stopped'
    const lastSeq = streamReader.lastSeq
    const result = await readOnce(followed, upstream, { isReplacement, quietBodies })
    if (result === 'refused' || signal.aborted) return signal.aborted ? 'stopped' : 'refused'
    if (streamReader.writeError) return 'lost'
    if (result === 'ended') {
      recordGap(streamReader)
      return 'lost'
    }
    isReplacement = result === 'quiet'
    if (streamReader.lastSeq > lastSeq) {
      if (!mayHaveFurtherEvents(run.state)) return 'over'
      if (++connections < MAX_CONNECTIONS) attempt = 0
    }
  }
}

/** Only pings for too long: the run is active (`quiet`), or the platform's record has its end (`ended`). */
type ReadResult = 'refused' | 'read' | 'quiet' | 'ended'

/**
 * Reads one connection until its end or until it is quiet. A replacement of a quiet connection is itself replaced
 * only after news.
 */
async function readOnce(
  { order, run, streamReader, onRunIds, signal, hasEnded, onFollowed, onResumed }: FollowedRun,
  upstream: UpstreamClient,
  { isReplacement, quietBodies }: { isReplacement: boolean; quietBodies: Readable[] },
): Promise<ReadResult> {
  const filter = new RepeatFilter(run.state)
  const workflow_run_id = getWorkflow(run.state).workflow_run_id ?? ''
  let hasNews = false
  try {
    const response = await openRunEvents(order, workflow_run_id, onResumed !== undefined, upstream)
    if (signal.aborted) {
      response.body.on('error', () => undefined).destroy()
      return 'read'
    }
    const close = () => response.body.destroy()
    signal.addEventListener('abort', close)
    if (!getWorkflow(run.state).paused) recordGap(streamReader)
    let result: ReadResult = 'read'
    const leaveController = new AbortController()
    const checkQuiet = async () => {
      const { lastSeq } = streamReader
      const isWaiting = getWorkflow(run.state).paused !== null
      const isOver = !isWaiting && (await hasEnded())
      if (leaveController.signal.aborted) return
      const isKept = isWaiting || streamReader.lastSeq > lastSeq || (!isOver && isReplacement && !hasNews)
      if (isKept) return void quietTimer.refresh()
      result = isOver ? 'ended' : 'quiet'
      quietBodies.push(response.body)
      leaveController.abort()
    }
    const quietTimer = setTimeout(() => void checkQuiet(), QUIET_LIMIT_MS)
    const isNews = (event: unknown) => {
      const isNew = filter.isNews(event)
      if (event !== undefined) onFollowed?.()
      if (isNew && asRecord(event)?.event !== 'ping') quietTimer.refresh()
      if (isNew && !hasNews) {
        hasNews = true
        onResumed?.()
      }
      return isNew
    }
    // The stream stays open over a further pause, but watchers treat the run as over.
    const isDone = () => hasNews && !mayHaveFurtherEvents(run.state)
    await streamReader.read(response, onRunIds, { isNews, isDone, leaveSignal: leaveController.signal })
    clearTimeout(quietTimer)
    leaveController.abort()
    signal.removeEventListener('abort', close)
    if (streamReader.hasRedacted) response.redactor.reportExposure()
    return result
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { kind, upstream: reply } = error.problem
    return kind === 'mismatch' || (kind === 'refused' && isFinalStatus(reply?.status)) ? 'refused' : 'read'
  }
}

/** Statuses of a gateway that are temporary. */
const PASSING_STATUSES = [408, 425, 429]

/** A server error and a rate limit may be temporary; anything else is the platform's answer. */
const isFinalStatus = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && !PASSING_STATUSES.includes(status)

/** What happened since the last frame was missed; several attempts after the same frame are one gap. */
function recordGap(streamReader: StreamReader): void {
  const { lastSeq, lastFrameMs, elapsedMs } = streamReader
  const earlier = streamReader.gaps.filter(({ after_frame }) => after_frame !== lastSeq)
  streamReader.gaps = [...earlier, { after_frame: lastSeq, from_ms: lastFrameMs, to_ms: elapsedMs }]
  streamReader.onGap()
}
