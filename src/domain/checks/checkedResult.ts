import type { CaseExpectation, RetrievedPassage } from '#contract/console/suites.ts'

/** What a case has brought, as the checks see it. */
export interface CheckedResult {
  expected: CaseExpectation
  /** Best first; null where nothing was retrieved or reported. */
  found: readonly RetrievedPassage[] | null
}

/** The outcome of a check before negation, threshold and weight. */
export interface CheckScore {
  /** From 0 to 1 for most types. */
  score: number
  /** The least score that passes, where the check has no threshold. */
  threshold: number
  reason: string
}

/** A check that cannot be decided. */
export class UndecidableCheckError extends Error {}
