import type { Check, RetrievalCheckType } from '#contract/console/checks.ts'
import { type CheckedResult, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { findFirstRank, measureRetrieval, toRelevantItems } from './retrievalMetrics.ts'

/** A check by ids of a retrieval, or of the sources of an answer. @throws UndecidableCheckError */
export function evaluateRetrievalCheck(
  type: RetrievalCheckType,
  check: Check,
  { expected, found }: Pick<CheckedResult, 'expected' | 'found'>,
): CheckScore {
  if (found === null) throw new UndecidableCheckError('The platform did not report what was found.')
  if (type === 'score-at-least') return toTopScore(check, found)
  if (type === 'cites') return toCitedShare(check, { expected, found })
  const relevant = toRelevantItems(expected)
  if (relevant.size === 0)
    throw new UndecidableCheckError('The case names no segment or document that should be found.')
  const metrics = measureRetrieval(found, relevant, check.k)
  const rank = findFirstRank(found, relevant)
  const reason =
    rank === 0
      ? found.length === 0
        ? 'Nothing was found.'
        : `Not among the ${found.length === 1 ? 'one result' : `${found.length} results`}.`
      : `First expected passage at rank ${rank} of ${found.length}.`
  switch (type) {
    case 'hit@k':
      return { score: metrics.hit, threshold: 1, reason }
    case 'mrr':
      return { score: metrics.mrr, threshold: DEFAULT_THRESHOLD, reason }
    case 'ndcg@k':
      return { score: metrics.ndcg, threshold: DEFAULT_THRESHOLD, reason }
    case 'recall@k':
      return { score: metrics.recall, threshold: 1, reason }
    case 'precision@k':
      return { score: metrics.precision, threshold: DEFAULT_THRESHOLD, reason }
  }
}

/** For scores without a value that is right for every suite. */
const DEFAULT_THRESHOLD = 0.5

function toTopScore({ value }: Check, found: NonNullable<CheckedResult['found']>): CheckScore {
  if (typeof value !== 'number') throw new UndecidableCheckError('`value` must be a number.')
  const best = found[0]
  if (!best) return { score: 0, threshold: value, reason: 'Nothing was found.' }
  if (best.score === null) throw new UndecidableCheckError('The platform gave no scores.')
  return { score: best.score, threshold: value, reason: `The best score is ${best.score}.` }
}

/** The share of the ids in `value`, or of what the case expects, that is among the results. */
function toCitedShare({ value, k }: Check, { expected, found }: Pick<CheckedResult, 'expected' | 'found'>): CheckScore {
  const given = value === undefined ? null : [value].flat()
  if (given?.some((id) => typeof id !== 'string'))
    throw new UndecidableCheckError('`value` must be an id or a list of ids.')
  const ids = given
    ? (given as string[])
    : [...(expected.segments ?? []), ...(expected.documents ?? [])].map(({ id }) => id)
  if (ids.length === 0) throw new UndecidableCheckError('Neither the check nor the case names an id.')
  const cited = new Set((found ?? []).slice(0, k).flatMap(({ segment_id, document_id }) => [segment_id, document_id]))
  const missing = ids.filter((id) => !cited.has(id))
  return {
    score: 1 - missing.length / ids.length,
    threshold: 1,
    reason: missing.length === 0 ? 'Every id is among the results.' : `Not among the results: ${missing.join(', ')}.`,
  }
}
