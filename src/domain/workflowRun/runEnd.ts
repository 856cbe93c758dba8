import type { AnswerState } from '../answer/answerState.ts'
import { findEndMark, isZeroUsage } from './endCauses.ts'
import type { RunNode, RunState } from './runState.ts'

/**
 * The answer without unmeasured figures: zeros after a stop or another early end are removed. A stopped run is not a
 * failed one. Unchanged while it is in progress, and for a complete end.
 */
export function toMeasuredAnswer(answer: AnswerState, isStopped: boolean): AnswerState {
  const { run } = answer
  const hasEnded = answer.ended || run.ended
  if (!hasEnded || !(isStopped || findEndMark(answer))) return answer
  return {
    ...answer,
    problem: isStopped ? null : answer.problem,
    usage: isZeroUsage(answer.usage) ? null : answer.usage,
    run:
      isStopped && run.status !== null
        ? { ...run, status: 'stopped', problem: null, total_tokens: run.total_tokens || null }
        : run,
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
  findEndMark(run) === null

/** The status of a node; if its end was missed, it is inferred from the end of its run. */
export function getNodeState({ status }: RunNode, run: RunState): string {
  if (status !== 'running' || !run.ended) return status
  if (run.paused) return 'paused'
  if (run.status === 'stopped') return 'stopped'
  if (run.status === 'succeeded') return 'succeeded'
  return run.told || run.status === 'partial-succeeded' ? 'unknown' : 'interrupted'
}

/** Duration of a node in seconds; if its end was missed, from its start to the end of its run. Null if unknown. */
export function getNodeSeconds({ elapsed_time, created_at, status }: RunNode, run: RunState): number | null {
  if (elapsed_time !== null || status !== 'running' || created_at === null || run.finished_at === null)
    return elapsed_time
  return Math.max(0, run.finished_at - created_at)
}

/** Duration of a run in seconds by the platform's record; null without one. */
export function getRunSeconds({ elapsed_time, created_at, finished_at }: RunState): number | null {
  const clock = created_at === null || finished_at === null ? 0 : finished_at - created_at
  // A resumed run may count only its last part. The clock has whole seconds.
  const seconds = clock > (elapsed_time ?? 0) + 1 ? clock : (elapsed_time ?? 0)
  return seconds > 0 ? seconds : null
}
