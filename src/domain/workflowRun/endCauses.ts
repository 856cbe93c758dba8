import type { Usage } from '#contract/platform/schemas.ts'
import { isModerated, type AnswerState } from '../answer/answerState.ts'
import type { RunState } from './runState.ts'

/** Why a run ended early. The platform does not report who stopped it; `unmeasured` may not have been stopped at all. */
export type EndCause =
  | 'stop'
  | 'stop_or_time_limit'
  | 'step_limit'
  | 'time_limit'
  | 'worker_shutdown'
  | 'output_moderation'
  | 'abandoned_pause'
  | 'unmeasured'

export interface EndMark {
  cause: EndCause
  /** The first release known to send it. */
  since: string
  /** The start of a workflow's error, or the test of an answer without one. */
  mark: string | ((answer: AnswerState) => boolean)
}

export const END_MARKS: readonly EndMark[] = [
  { cause: 'stop', since: '1.9.2', mark: 'Aborted: User requested stop' },
  { cause: 'stop', since: '1.16.0', mark: 'Aborted: App task was stopped' },
  // Releases 1.16.0 and 1.16.1 also send it for the time limit of their queue.
  { cause: 'stop_or_time_limit', since: '1.9.2', mark: 'Stopped by user.' },
  { cause: 'step_limit', since: '1.16.0', mark: 'Aborted: Maximum execution steps exceeded' },
  { cause: 'time_limit', since: '1.16.0', mark: 'Aborted: Maximum execution time exceeded' },
  { cause: 'time_limit', since: '1.16.1', mark: 'App execution exceeded' },
  { cause: 'worker_shutdown', since: '1.16.1', mark: 'Aborted: Workflow stopped because the worker is shutting down' },
  { cause: 'output_moderation', since: '1.16.1', mark: 'Stopped by output moderation.' },
  {
    cause: 'abandoned_pause',
    since: '1.16.0',
    mark: 'Aborted: Client response stream closed before app execution completed',
  },
  { cause: 'output_moderation', since: '1.16.1', mark: isModerated },
  { cause: 'unmeasured', since: '1.9.2', mark: isUnmeasured },
]

/** The mark of an early end; null while a run is in progress, for a complete end, and for any other error. */
export function findEndMark(state: AnswerState | RunState): EndMark | null {
  const answer = 'nodes' in state ? null : state
  const run = 'nodes' in state ? state : state.run
  if (!state.ended && !run.ended) return null
  return findMark(answer?.problem?.message ?? run.problem?.message ?? run.error, answer)
}

export const findErrorCause = (error: string | null): EndCause | null => findMark(error, null)?.cause ?? null

/** A failed chatflow repeats its workflow's error after this prefix. */
const ERROR_PREFIX = /^Run failed: /

const findMark = (error: string | null, answer: AnswerState | null): EndMark | null =>
  END_MARKS.find(({ mark }) =>
    typeof mark === 'string' ? error?.replace(ERROR_PREFIX, '').startsWith(mark) : answer !== null && mark(answer),
  ) ?? null

/** Whether a stop by a client may be the cause. */
export const isStopCause = (cause: EndCause | null | undefined): boolean =>
  cause === 'stop' || cause === 'stop_or_time_limit'

/** Whether a usage counts neither tokens nor money, as the platform sends for an answer that it did not measure. */
export function isZeroUsage(usage: Usage | null): boolean {
  if (!usage) return false
  const { total_tokens, prompt_tokens, completion_tokens, total_price } = usage
  const counts = [total_tokens, prompt_tokens, completion_tokens].filter((count) => typeof count === 'number')
  return counts.length > 0 && counts.every((count) => count === 0) && Number(total_price ?? 0) === 0
}

/** Zeros with a unit price and a duration: a model ran. An answer without a model has no unit price. */
function isUnmeasured({ usage, problem, run }: AnswerState): boolean {
  if (problem || run.status !== null || !usage || !isZeroUsage(usage)) return false
  return Number(usage.completion_unit_price ?? 0) > 0 && (usage.latency ?? 0) > 0
}
