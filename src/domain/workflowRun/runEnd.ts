import type { Usage } from '#contract/platform/schemas.ts'
import type { AnswerState } from '../answer/answerState.ts'
import type { RunNode, RunState } from './runState.ts'

/** What an accepted stop may leave at the end of a stream. */
export type StopMark = 'stopped' | 'aborted' | 'zero_usage'

const ABORTED_MESSAGE = /^(Run failed: )?Aborted: User requested stop/i

/**
 * The mark of a stop at the end of a run; null for any other end. Only `stopped` is proof by itself: a stopped workflow may
 * end as failed, and a stopped answer ends like a complete one, with a usage of zeros.
 */
export function findStopMark(state: AnswerState | RunState): StopMark | null {
  if (!state.ended) return null
  const answer = 'nodes' in state ? null : state
  const run = 'nodes' in state ? state : state.run
  if (run.status === 'stopped') return 'stopped'
  const message = answer?.problem?.message ?? run.problem?.message ?? run.error
  if (message !== null && ABORTED_MESSAGE.test(message)) return 'aborted'
  if (answer === null || answer.problem || run.paused || run.status === 'failed') return null
  return isZeroUsage(answer.usage) ? 'zero_usage' : null
}

/** Whether a usage counts no token and no money: a platform sends it for an answer that it did not measure. */
export function isZeroUsage(usage: Usage | null): boolean {
  if (!usage) return false
  const { total_tokens, prompt_tokens, completion_tokens, total_price } = usage
  const counts = [total_tokens, prompt_tokens, completion_tokens].filter((count) => typeof count === 'number')
  return counts.length > 0 && counts.every((count) => count === 0) && Number(total_price ?? 0) === 0
}

/** The state of a run that our stop ended, whatever form its end has: it did not fail, and zeros are no measurement. */
export function toStoppedAnswer(answer: AnswerState): AnswerState {
  const { run } = answer
  const hasRun = run.status !== null
  return {
    ...answer,
    problem: null,
    usage: isZeroUsage(answer.usage) ? null : answer.usage,
    run: hasRun ? { ...run, status: 'stopped', problem: null, total_tokens: run.total_tokens || null } : run,
  }
}

/**
 * Whether the platform refused the inputs in a stream: the run fails before its first node, without outputs, and the
 * platform keeps no record of it.
 */
export const isRefusedForm = (run: RunState): boolean =>
  run.status === 'failed' &&
  run.error !== null &&
  run.problem === null &&
  run.nodes.length === 0 &&
  run.total_steps === 0 &&
  run.outputs === null &&
  run.text === '' &&
  findStopMark(run) === null

/** The status of a node; of one whose end was not seen, what is known of it by the end of its run. */
export function getNodeState({ status }: RunNode, run: RunState): string {
  if (status !== 'running' || !run.ended) return status
  if (run.paused) return 'paused'
  if (run.status === 'stopped') return 'stopped'
  if (run.status === 'succeeded') return 'succeeded'
  return run.told || run.status === 'partial-succeeded' ? 'unknown' : 'interrupted'
}

/** Seconds that a node took; of one whose end was not seen, from its start to the end of its run. Null if not known. */
export function getNodeSeconds({ elapsed_time, created_at, status }: RunNode, run: RunState): number | null {
  if (elapsed_time !== null || status !== 'running' || created_at === null || run.finished_at === null)
    return elapsed_time
  return Math.max(0, run.finished_at - created_at)
}

/** Seconds that a run lasted by the platform's record; null where it gives none. */
export function getRunSeconds({ elapsed_time, created_at, finished_at }: RunState): number | null {
  const clock = created_at === null || finished_at === null ? 0 : finished_at - created_at
  // A resumed run may count its last part alone. The clock has whole seconds.
  const seconds = clock > (elapsed_time ?? 0) + 1 ? clock : (elapsed_time ?? 0)
  return seconds > 0 ? seconds : null
}
