import type { Check, CheckType, Verdict } from '#contract/console/checks.ts'
import { type CheckedResult, UndecidableCheckError } from './checkedResult.ts'
import { evaluateRetrievalCheck } from './retrievalChecks.ts'

/** Splits the negation from the name of a type. */
export function parseCheckType(type: Check['type']): { type: CheckType; isNegated: boolean } {
  return type.startsWith('not-')
    ? { type: type.slice('not-'.length) as CheckType, isNegated: true }
    : { type: type as CheckType, isNegated: false }
}

/** Never throws: a check that cannot be decided is an `error`, neither a pass nor a fail. */
export function evaluateCheck(check: Check, result: CheckedResult): Verdict {
  const { type, isNegated } = parseCheckType(check.type)
  try {
    const { score, threshold, reason } = evaluateRetrievalCheck(type, check, result)
    const isMet = score >= (check.threshold ?? threshold) - SCORE_TOLERANCE
    return { type: check.type, verdict: isMet === isNegated ? 'fail' : 'pass', score, reason }
  } catch (error) {
    if (!(error instanceof UndecidableCheckError)) throw error
    return { type: check.type, verdict: 'error', score: null, reason: error.message }
  }
}

/** A score that is a sum of fractions meets a threshold that equals it on paper. */
const SCORE_TOLERANCE = 1e-9

/** Fails where any check with a weight fails; an error where none fails and one could not be decided. */
export function toOutcome(verdicts: readonly Verdict[], checks: readonly Check[]): Verdict['verdict'] {
  const counted = verdicts.filter((_, index) => checks[index]?.weight !== 0)
  if (counted.some(({ verdict }) => verdict === 'fail')) return 'fail'
  if (counted.length === 0 || counted.some(({ verdict }) => verdict === 'error')) return 'error'
  return 'pass'
}
