import type { AnswerState } from '#domain/answer/answerState.ts'
import type { RunStatus } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { findEndMark, isStopCause } from '#domain/workflowRun/endCauses.ts'
import { isRefusedForm, toMeasuredAnswer } from '#domain/workflowRun/runEnd.ts'
import type { CallEnd } from './callRow.ts'

export const GENERATING_ENTRIES = ['chat.send', 'completion.send', 'workflows.run'] as const
export type GeneratingEntry = (typeof GENERATING_ENTRIES)[number]

/** The kind of run that a streaming operation starts or follows: a run of a pinned version is a run of its workflow. */
export const toGeneratingEntry = (operation: string): GeneratingEntry =>
  GENERATING_ENTRIES.find((entry) => entry === operation) ?? 'workflows.run'

export type FoldState = AnswerState | RunState

/** The ids that a fold has learned so far. */
export interface RunIds {
  conversation_id: string | null
  message_id: string | null
  task_id: string | null
  workflow_run_id: string | null
  workflow_id: string | null
}

export function getRunIds(state: FoldState): RunIds {
  if (isAnswerState(state)) {
    const { conversation_id, message_id, task_id, run } = state
    const { workflow_run_id, workflow_id } = run
    return { conversation_id, message_id, task_id, workflow_run_id, workflow_id }
  }
  const { task_id, workflow_run_id, workflow_id } = state
  return { conversation_id: null, message_id: null, task_id, workflow_run_id, workflow_id }
}

/** The ids that belong to this run alone: other runs share the version. */
export function listRunIds(state: FoldState): string[] {
  const { conversation_id, message_id, task_id, workflow_run_id } = getRunIds(state)
  return [conversation_id, message_id, task_id, workflow_run_id].filter((id) => id !== null)
}

/** True for the fold of a chat or completion, false for that of a workflow. */
export const isAnswerState = (state: FoldState): state is AnswerState => 'sources' in state

/** A stream's first token is its first text, not its first frame. */
export const hasText = (state: FoldState): boolean => state.text !== '' || state.reasoning !== ''

/** The workflow of a run; the empty state for a chat without one. */
export const getWorkflow = (state: FoldState): RunState => (isAnswerState(state) ? state.run : state)

/** The status of a run from its stream. A stream without a terminal event is never a success. */
export function toRunStatus(state: FoldState): RunStatus {
  const workflow = getWorkflow(state)
  if (isRefusedForm(workflow)) return 'refused'
  // Older releases end a stopped workflow as failed.
  if (workflow.status === 'stopped' || isStopCause(findEndMark(state)?.cause)) return 'stopped'
  if (workflow.status === 'unknown') return 'unknown'
  if (state.problem || workflow.problem || workflow.status === 'failed') return 'failed'
  if (workflow.paused) return 'paused'
  if (!state.ended) return 'interrupted'
  return workflow.status === 'partial-succeeded' ? 'partial-succeeded' : 'succeeded'
}

/** Whether a reply that is not streamed is an end or a pause; anything else is not a reply to the request. */
export const isCompleteReply = (state: FoldState): boolean => toRunStatus(state) !== 'interrupted'

/**
 * True once a stream has no more to say about the result: a chatflow may send `message_end` before its workflow's
 * end.
 */
export const isCompleteState = (state: FoldState): boolean => state.ended && getWorkflow(state).status !== 'running'

/**
 * Whether the end of a workflow was in an event that was too large: its outputs, or fields after them, are
 * incomplete.
 */
export const isEndCut = (state: FoldState): boolean => state.cut?.includes('workflow_finished') ?? false

/**
 * Whether the platform may have further events of a run: of a workflow or chatflow whose workflow has not ended. The
 * end of the workflow is the last event of platforms that offer them.
 */
export function mayHaveFurtherEvents(state: FoldState): boolean {
  const { workflow_run_id, ended } = getWorkflow(state)
  return workflow_run_id !== null && !ended
}

/** Tokens and price if the platform reported them, else null. After an early end, zeros are not a measurement. */
export function getUsage(
  state: FoldState,
  status: RunStatus = toRunStatus(state),
): Pick<CallEnd, 'total_tokens' | 'total_price' | 'currency'> {
  const isStopped = status === 'stopped'
  if (!isAnswerState(state))
    return {
      total_tokens: isStopped ? state.total_tokens || null : state.total_tokens,
      total_price: null,
      currency: null,
    }
  const { usage, run } = toMeasuredAnswer(state, isStopped)
  return {
    total_tokens: usage?.total_tokens ?? run.total_tokens,
    total_price: usage?.total_price ?? null,
    currency: usage?.currency ?? null,
  }
}
