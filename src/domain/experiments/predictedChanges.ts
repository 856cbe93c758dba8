import type { PredictedResult } from '#contract/console/experiments/predictions.ts'

/** The effect of a change on a case. `moved`: the same outcome at another rank. */
export const PREDICTED_CHANGES = ['regressed', 'fixed', 'moved', 'unchanged'] as const
export type PredictedChange = (typeof PREDICTED_CHANGES)[number]

/** A case before and after a change that is not saved. */
export interface PredictedCase {
  case_id: string
  case_name: string
  change: PredictedChange
  before: PredictedResult
  after: PredictedResult
}

/** Pairs the results of the same cases; one that was added or deleted in between is skipped. */
export function pairPredictions(
  before: readonly PredictedResult[],
  after: readonly PredictedResult[],
): PredictedCase[] {
  const known = new Map(before.map((result) => [result.case_id, result]))
  return after.flatMap((result) => {
    const { case_id, case_name } = result
    const former = known.get(case_id)
    return former
      ? [{ case_id, case_name, change: toPredictedChange(former, result), before: former, after: result }]
      : []
  })
}

function toPredictedChange(before: PredictedResult, after: PredictedResult): PredictedChange {
  if (before.outcome === 'pass' && after.outcome !== 'pass') return 'regressed'
  if (before.outcome !== 'pass' && after.outcome === 'pass') return 'fixed'
  return before.rank === after.rank ? 'unchanged' : 'moved'
}

/** How many cases have each change. */
export function countPredictedChanges(cases: readonly PredictedCase[]): Record<PredictedChange, number> {
  const counts = { regressed: 0, fixed: 0, moved: 0, unchanged: 0 }
  for (const { change } of cases) counts[change]++
  return counts
}
