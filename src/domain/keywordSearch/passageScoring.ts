import type { WeightedTerm } from './queryClauses.ts'

/** A passage with its scores so far, each from 0 to 1. */
export interface ScoredPassage {
  id: string
  segment_id: string
  child_chunk_id: string | null
  score: number
}

/**
 * Saturation and length normalization of BM25: the textbook's for words; pairs of characters repeat less evenly, and
 * the length of their passages says less.
 */
const WORD_PARAMETERS = { k1: 1.2, b: 0.75 }
const UNSPACED_PARAMETERS = { k1: 0.9, b: 0.4 }
/**
 * The score of a passage of average length with each term of the question once. Hybrid search and score thresholds
 * rely on the scale.
 */
const SINGLE_OCCURRENCE_SCORE = 0.625
/** Up to this score the scale is linear; above it scores approach 1, so that two good passages never have the same. */
const LINEAR_SCORE = 0.75

/** Length of a passage in words, and its terms that the question has, with repetitions. */
export interface PassageTerms {
  matched: readonly number[]
  length: number
}

/** BM25 relative to the total weight of the question. */
export function createScorer(terms: readonly WeightedTerm[], totalWeight: number, averageLength: number) {
  const termByHash = new Map(terms.map((term) => [term.hash, term]))
  return ({ matched, length }: PassageTerms): number => {
    const counts = new Map<WeightedTerm, number>()
    for (const hash of matched) {
      const term = termByHash.get(hash)
      if (term) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    let sum = 0
    for (const [{ weight, unspaced }, count] of counts) {
      const { k1, b } = unspaced ? UNSPACED_PARAMETERS : WORD_PARAMETERS
      sum += (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength))
    }
    return limitScore((SINGLE_OCCURRENCE_SCORE * sum) / (totalWeight || 1))
  }
}

function limitScore(score: number): number {
  if (score <= LINEAR_SCORE) return score
  const rest = 1 - LINEAR_SCORE
  return LINEAR_SCORE + rest * (1 - Math.exp((LINEAR_SCORE - score) / rest))
}

/** Best first; equal scores in the order of their ids, so that a list is stable. */
export const compareScores = (one: ScoredPassage, other: ScoredPassage): number =>
  other.score - one.score || (one.id < other.id ? -1 : 1)
