import type { Verdict } from '#contract/console/checks.ts'
import type { CaseChange, CaseOutcome } from '#contract/console/suites.ts'

/** Of the repetitions of a case: different outcomes are `flaky`; null without any. */
export function toCaseOutcome(outcomes: readonly Verdict['verdict'][]): CaseOutcome | null {
  const [first = null, ...others] = outcomes
  return others.some((outcome) => outcome !== first) ? 'flaky' : first
}

/** What became of a case between two experiments; null where an experiment has no outcome of it. */
export function toCaseChange(before: CaseOutcome | null, after: CaseOutcome | null): CaseChange {
  if (before === null || after === null) return 'missing'
  if (before === 'error' || after === 'error') return 'error'
  if (before === 'flaky' || after === 'flaky') return 'flaky'
  if (before === after) return after === 'pass' ? 'still_passing' : 'still_failing'
  return after === 'pass' ? 'fixed' : 'regressed'
}
