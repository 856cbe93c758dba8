import {
  type Check,
  type CheckType,
  type JsonCheckType,
  JSON_CHECKS,
  JUDGE_CHECKS,
  type JudgeCheckType,
  parseCheckType,
  RETRIEVAL_CHECKS,
  type RetrievalCheckType,
  TEXT_CHECKS,
  type TextCheckType,
  type Verdict,
  WIRE_CHECKS,
  type WireCheckType,
  type WorkflowCheckType,
} from '#contract/console/checks.ts'
import { type CheckedResult, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { evaluateJsonCheck } from './jsonChecks.ts'
import { evaluateRetrievalCheck } from './retrievalChecks.ts'
import { evaluateTextCheck, requireText, toExcerpt } from './textChecks.ts'
import { evaluateWireCheck } from './wireChecks.ts'
import { evaluateWorkflowCheck } from './workflowChecks.ts'

/**
 * A check that cannot be decided is an `error`, neither a pass nor a fail. Patterns and schemas are written by
 * people: the caller limits the time.
 */
export function evaluateCheck(check: Check, result: CheckedResult): Verdict {
  const { isNegated } = parseCheckType(check.type)
  try {
    const scored = scoreCheck(check, result)
    const { score, threshold, isLimit, isRejected = false, reason } = scored
    const limit = check.threshold ?? threshold
    const isMet = !isRejected && (isLimit ? score <= limit + SCORE_TOLERANCE : score >= limit - SCORE_TOLERANCE)
    if (isMet !== isNegated) return { type: check.type, verdict: 'pass', score, reason }
    return { type: check.type, verdict: 'fail', score, reason: describeFailure(check, scored, result) }
  } catch (error) {
    if (!(error instanceof UndecidableCheckError)) throw error
    return toUndecided(check, error.message)
  }
}

/** The reason, with the required number if there is one, and the answer for checks of text. */
function describeFailure(
  check: Check,
  { score, threshold, isLimit, isRejected, reason }: CheckScore,
  { run }: CheckedResult,
): string {
  const { type, isNegated } = parseCheckType(check.type)
  const limit = check.threshold ?? threshold
  const isTrueOrFalse = limit === 1 && (score === 0 || score === 1)
  const bound = isLimit ? 'At most' : 'At least'
  return [
    reason,
    ...(isTrueOrFalse || isNegated || isRejected ? [] : [`${bound} ${limit} passes.`]),
    ...(run && QUOTED_CHECKS.includes(type) ? [`The answer is “${toExcerpt(run.text)}”.`] : []),
  ].join(' ')
}

/** Text checks whose reason does not contain the answer. */
const QUOTED_CHECKS: readonly CheckType[] = TEXT_CHECKS.filter((type) => type !== 'equals' && type !== 'is-refusal')

export const toUndecided = ({ type }: Check, reason: string): Verdict => ({
  type,
  verdict: 'error',
  score: null,
  reason,
})

/** Tolerance for scores that are sums of fractions. */
const SCORE_TOLERANCE = 1e-9

function scoreCheck(check: Check, result: CheckedResult): CheckScore {
  const { type } = parseCheckType(check.type)
  if (isOneOf<RetrievalCheckType>(RETRIEVAL_CHECKS, type)) return evaluateRetrievalCheck(type, check, result)
  const { run, expected } = result
  if (isOneOf<JudgeCheckType>(JUDGE_CHECKS, type)) return getJudgedScore(check, result)
  if (!run) throw new UndecidableCheckError('This check needs the run of an app, but the dataset was searched.')
  if (isOneOf<TextCheckType>(TEXT_CHECKS, type)) return evaluateTextCheck(type, check, run, expected)
  if (isOneOf<JsonCheckType>(JSON_CHECKS, type)) return evaluateJsonCheck(type, check, run)
  if (isOneOf<WireCheckType>(WIRE_CHECKS, type)) return evaluateWireCheck(type, check, run)
  return evaluateWorkflowCheck(type satisfies WorkflowCheckType, check, run)
}

/** An interrupted run is not judged. */
function getJudgedScore(check: Check, { run, judgements }: CheckedResult): CheckScore {
  const judgement = judgements?.get(check)
  if (judgement && 'score' in judgement) return judgement.score
  if (judgement) throw new UndecidableCheckError(judgement.error)
  if (run) requireText(run)
  throw new UndecidableCheckError('No judge was asked.')
}

const isOneOf = <Type extends string>(types: readonly Type[], type: string): type is Type =>
  (types as readonly string[]).includes(type)

/** Fails if any check with a weight fails; an error if none fails and one could not be decided. */
export function toOutcome(verdicts: readonly Verdict[], checks: readonly Check[]): Verdict['verdict'] {
  const counted = verdicts.filter((_, index) => checks[index]?.weight !== 0)
  if (counted.some(({ verdict }) => verdict === 'fail')) return 'fail'
  if (counted.length === 0 || counted.some(({ verdict }) => verdict === 'error')) return 'error'
  return 'pass'
}
