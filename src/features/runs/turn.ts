import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { type EndMark, findEndMark } from '#domain/workflowRun/endCauses.ts'
import { NO_FRAME_TIMES, type StreamTimes, toKnownTimes } from '#domain/stream/streamTimes.ts'
import { toMeasuredAnswer } from '#domain/workflowRun/runEnd.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import {
  isActiveStatus,
  isSuccessStatus,
  isUnresolvedStatus,
  type Run,
  type RunGap,
  type RunStatus,
  type RunStop,
} from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import type { RunView } from '../../client/runStore.ts'
import type { ConnectionState } from '../../client/runStream.ts'

/** The question: the body of operation 14 as sent. */
export interface TurnQuestion {
  query: string
  user: string
  inputs: Record<string, unknown>
  response_mode: 'streaming' | 'blocking'
  conversation_id: string | null
  /** The version that it was pinned to; null for the current one. */
  pinned_workflow_id: string | null
  /** The whole body. */
  body: Record<string, unknown>
}

/**
 * A question and its answer, from the server's row, from this browser's line, or from both. Durations are milliseconds
 * since the request went out, null where it did not happen.
 */
export interface Turn extends StreamTimes {
  run_id: string
  entry: Run['entry']
  /**
   * The run's state; `unsent` and `refused` if there is no run, `away` if this browser has stopped watching,
   * `playing` while its recording is played back.
   */
  state: RunStatus | 'sending' | 'unsent' | 'away' | 'playing'
  question: TurnQuestion
  answer: AnswerState
  problem: Problem | null
  /** The accepted stop of the run, null for none. */
  stop: RunStop | null
  /** Why it ended early, as reported by the platform. Null for a failed run, whose problem says more. */
  endMark: EndMark | null
  /** Parts of the stream that were not seen, by the row of the run; those of the answer are the newest. */
  gaps: readonly RunGap[]
  /** The status with which an earlier release stored the run, if it reads differently now. */
  earlier_status?: RunStatus | null | undefined
  connection: ConnectionState | null
  frames: number
  sent_at: number
  /** The time of the last frame, by this browser's clock; null before the first, and for an ended run. */
  last_frame_at: number | null
  duration_ms: number | null
  /** While a recording is played back: how far it has come, in milliseconds of the recording. */
  played_ms?: number
}

/** How long (ms) the server asks the platform for the end of a run that it did not receive. */
export const RECONCILIATION_WINDOW_MS = 600_000

/** Whether the end of a run, or of its stream, is too long ago for the platform to report it without being asked. */
export const isLongOver = ({ sent_at, duration_ms }: Turn): boolean =>
  Date.now() - sent_at - (duration_ms ?? 0) > RECONCILIATION_WINDOW_MS

/** The turn of a run. `view` is what this browser has of it, `run` the server's row; one of them is given. */
export function toTurn(run: Run | null, view: RunView<AnswerState | RunState> | null): Turn | null {
  const turn = toRawTurn(run, view)
  if (!turn) return null
  // Older rows of paused runs are stored as interrupted.
  if (turn.state === 'interrupted' && turn.answer.run.paused) return { ...turn, state: 'paused' }
  if (!isTurnOver(turn)) return turn
  return {
    ...turn,
    endMark: toEndMark(turn),
    answer: toMeasuredAnswer(turn.answer, turn.state === 'stopped'),
  }
}

/** An answer that was stopped here has no measurement either. Only a stopped run was ended by what its error names. */
function toEndMark({ state, answer }: Turn): EndMark | null {
  const mark = findEndMark(answer)
  const isShown = mark?.cause === 'unmeasured' ? isSuccessStatus(state) : state === 'stopped'
  return isShown ? mark : null
}

/**
 * Whether the text may be cut or complete: an answer without a measurement, or one measured after our stop. Only a
 * workflow says that it was stopped.
 */
export const mayBeCut = ({ state, stop, endMark, answer }: Turn): boolean =>
  endMark?.cause === 'unmeasured' ||
  (state === 'stopped' && Boolean(stop?.had_effect) && answer.run.status === null && answer.usage !== null)

function toRawTurn(run: Run | null, view: RunView<AnswerState | RunState> | null): Turn | null {
  const isStored = run !== null && !isActiveStatus(run.status)
  if (isStored && view?.phase === 'ended' && view.run && isNewer(run, view.run)) return turnFromRun(run)
  if (view && (view.phase === 'ended' || !isStored)) return turnFromView(view, run)
  return run ? turnFromRun(run) : null
}

/**
 * Whether the stored row may know more than the row that ended the stream: how a run ended may be found out later, and a
 * paused run may have gone on and paused again.
 */
const isNewer = (run: Run, ended: Run): boolean =>
  ended.status !== run.status || (isUnresolvedStatus(run.status) && Boolean(run.answer) && run.frames >= ended.frames)

export const isTurnOver = ({ state }: Turn): boolean =>
  !['sending', 'created', 'dispatched', 'streaming', 'away', 'playing'].includes(state)

function turnFromRun(run: Run): Turn {
  return {
    run_id: run.id,
    entry: run.entry,
    state: run.status,
    question: toQuestion(run.request ?? findExternalRequest(run.answer), run.title, run.pinned_workflow_id),
    answer: run.answer ? toAnswerState(run.answer as AnswerState | RunState) : emptyAnswer,
    problem: run.problem,
    stop: run.stop ?? null,
    endMark: null,
    gaps: run.gaps ?? [],
    earlier_status: run.earlier_status,
    connection: null,
    frames: run.frames,
    sent_at: Date.parse(run.created_at),
    last_frame_at: null,
    ...toKnownTimes(run, { ...NO_FRAME_TIMES, last_frame_ms: run.duration_ms }),
    duration_ms: run.duration_ms,
  }
}

function turnFromView(view: RunView<AnswerState | RunState>, run: Run | null): Turn {
  // The row that ends a stream is the newest, but lacks what was sent.
  const row = view.run ?? run
  const sent_at = view.sent_at ?? (row ? Date.parse(row.created_at) : (view.first_frame_at ?? 0))
  return {
    run_id: view.run_id,
    entry: row?.entry ?? guessEntry(view),
    state: toTurnState(view),
    question: toQuestion(
      view.sent?.body ?? run?.request ?? row?.request,
      row?.title ?? '',
      view.sent?.params?.workflow_id ?? row?.pinned_workflow_id ?? null,
    ),
    answer: toAnswerState(view.state),
    problem: view.problem ?? view.run?.problem ?? null,
    stop: run?.stop ?? view.run?.stop ?? null,
    endMark: null,
    gaps: row?.gaps ?? [],
    connection: view.phase === 'ended' ? null : view.connection,
    frames: view.frames,
    sent_at,
    last_frame_at: getLastFrameTime(view, sent_at),
    ...toKnownTimes(row, view),
    duration_ms: view.run?.duration_ms ?? null,
  }
}

/** The frames that a reloaded page catches up with were received earlier. */
const getLastFrameTime = ({ sent_at, last_frame_at, last_frame_ms }: RunView, startedAt: number): number | null =>
  last_frame_at === null || sent_at !== null ? last_frame_at : Math.min(last_frame_at, startedAt + (last_frame_ms ?? 0))

/** Before there is a row, the request and the fold show the entry. */
function guessEntry({ state, sent }: RunView<AnswerState | RunState>): Run['entry'] {
  if ('nodes' in state) return 'workflows.run'
  const body = sent?.body
  return typeof body === 'object' && body !== null && !('query' in body) ? 'completion.send' : 'chat.send'
}

/** What a run folded into, as an answer: a workflow's is the words that it streamed, with the workflow in it. */
export function toAnswerState(state: AnswerState | RunState): AnswerState {
  if (!('nodes' in state)) return state
  const { text, reasoning, task_id, problem, ended, unknown, cut, gaps } = state
  const marks = { ...(cut && { cut }), ...(gaps && { gaps }) }
  return { ...emptyAnswer, text, reasoning, task_id, problem, ended, unknown, ...marks, run: state }
}

function toTurnState(view: RunView<AnswerState | RunState>): Turn['state'] {
  if (view.phase === 'ended') return view.run?.status ?? 'unknown'
  if (view.phase !== 'watching') return view.phase
  return view.connection.state === 'sending' ? 'sending' : 'streaming'
}

/** The known request of a run that was started outside this console: its inputs, as reported by the platform. */
function findExternalRequest(answer: unknown): unknown {
  const { told: source, inputs } = (answer ?? {}) as Partial<RunState>
  return source?.elsewhere ? { inputs: typeof inputs === 'object' && inputs !== null ? inputs : {} } : undefined
}

function toQuestion(request: unknown, title: string, pinned: string | null): TurnQuestion {
  const body = (request ?? {}) as Record<string, unknown>
  return {
    query: typeof body.query === 'string' ? body.query : title,
    user: typeof body.user === 'string' ? body.user : '',
    inputs: (body.inputs ?? {}) as Record<string, unknown>,
    response_mode: body.response_mode === 'blocking' ? 'blocking' : 'streaming',
    conversation_id: typeof body.conversation_id === 'string' && body.conversation_id ? body.conversation_id : null,
    pinned_workflow_id: pinned ?? (typeof body.workflow_id === 'string' && body.workflow_id ? body.workflow_id : null),
    body,
  }
}
