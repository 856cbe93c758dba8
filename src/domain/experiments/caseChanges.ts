import type { Verdict } from '#contract/console/checks.ts'
import type { CaseChange, CaseOutcome } from '#contract/console/suites.ts'

/** The outcome over the repetitions of a case: `flaky` if they differ; null without any. */
export function toCaseOutcome(outcomes: readonly Verdict['verdict'][]): CaseOutcome | null {
  const [first = null, ...others] = outcomes
  return others.some((outcome) => outcome !== first) ? 'flaky' : first
}

/** The change of a case between two experiments; null if an experiment has no outcome for it. */
export function toCaseChange(before: CaseOutcome | null, after: CaseOutcome | null): CaseChange {
  if (before === null || after === null) return 'missing'
  if (before === 'error' || after === 'error') return 'error'
  if (before === 'flaky' || after === 'flaky') return 'flaky'
  if (before === after) return after === 'pass' ? 'still_passing' : 'still_failing'
  return after === 'pass' ? 'fixed' : 'regressed'
}
