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
 * Milliseconds before each attempt to take an active run up again; after news of the run they begin again. Platforms send
 * nothing but pings to a reader that comes in the moment in which another one has left.
 */
const ACTIVE_RETRY_DELAYS_MS = [1_000, 1_000, 2_000, 5_000]
/** Milliseconds without anything but pings after which the platform is asked whether the run still goes on. */
export const QUIET_LIMIT_MS = 15_000
/** Connections with news after which the attempts are no longer begun again: a platform may cut each one. */
const MAX_CONNECTIONS = 100
/** Milliseconds before each attempt to follow a paused run; the last one is repeated. News of the run begin with the second one. */
const PAUSED_RETRY_DELAYS_MS = [0, 1_000, 2_000, 5_000, 30_000]

/**
 * `over`: the run has ended or paused. `refused`: the platform has no events of this run. `lost`: the connections broke off.
 * `stopped`: by the signal.
 */
export type FollowResult = 'over' | 'refused' | 'lost' | 'stopped'

export interface FollowedRun {
  order: RunOrder
  run: LiveRun
  streamReader: StreamReader
  onRunIds: (ids: RunIds) => void
  signal: AbortSignal
  /** Whether the platform's record has the end of the run. */
  hasEnded: () => Promise<boolean>
  /** The platform has told the state of the run: what happens from now on is seen. */
  onFollowed?: () => void
  /**
   * For a paused run, which is followed until it goes on, and then until it has ended or pauses again: called when it goes on,
   * before its first frame is read.
   */
  onResumed?: () => void
}

/**
 * Reads the further events of a run at the platform, over as many connections as it takes. What the stored frames have
 * already is left out; what was missed between two connections is recorded in the reader's `gaps`.
 */
export async function followRun(followed: FollowedRun, upstream: UpstreamClient): Promise<FollowResult> {
  const quietBodies: Readable[] = []
  try {
    return await readAll(followed, upstream, quietBodies)
  } finally {
    for (const body of quietBodies) body.destroy()
  }
}

/** @param quietBodies gets the connections that are read no further but stay open: a platform ends all readers of a run once one leaves */
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

/** Nothing but pings came for too long: the run goes on (`quiet`), or the platform's record has its end (`ended`). */
type ReadResult = 'refused' | 'read' | 'quiet' | 'ended'

/** Reads over one connection, to its end or until it is quiet. One that replaces a quiet connection is only replaced after news. */
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
    // The stream stays open over a further pause, at which the run is over for those who watch it.
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

/** Statuses by which a gateway asks for patience. */
const PASSING_STATUSES = [408, 425, 429]

/** A server error may pass, and so may a limit; anything else is the platform's answer to the question. */
const isFinalStatus = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && !PASSING_STATUSES.includes(status)

/** What happened since the last frame was not seen; several attempts after the same frame are one gap. */
function recordGap(streamReader: StreamReader): void {
  const { lastSeq, lastFrameMs, elapsedMs } = streamReader
  const earlier = streamReader.gaps.filter(({ after_frame }) => after_frame !== lastSeq)
  streamReader.gaps = [...earlier, { after_frame: lastSeq, from_ms: lastFrameMs, to_ms: elapsedMs }]
  streamReader.onGap()
}
