import type { CaseExpectation, RetrievedPassage } from '#contract/console/suites.ts'

/**
 * The expected passages: each segment and each document is one item. A document is found by the first of its
 * segments; its other segments are relevant for precision, but find nothing new.
 */
export interface RelevantItems {
  segments: ReadonlySet<string>
  documents: ReadonlySet<string>
  size: number
}

export function toRelevantItems({ segments = [], documents = [] }: CaseExpectation): RelevantItems {
  const segmentIds = new Set(segments.map(({ id }) => id))
  const documentIds = new Set(documents.map(({ id }) => id))
  return { segments: segmentIds, documents: documentIds, size: segmentIds.size + documentIds.size }
}

export type RankedPassage = Pick<RetrievedPassage, 'segment_id' | 'document_id'>

/** For each rank: whether the passage is relevant, and how many items it is the first to find. */
interface Gain {
  isRelevant: boolean
  newItems: number
}

function toGains(found: readonly RankedPassage[], relevant: RelevantItems): Gain[] {
  const foundItems = new Set<string>()
  return found.map(({ segment_id, document_id }) => {
    const items = [
      ...(relevant.segments.has(segment_id) ? [`segment ${segment_id}`] : []),
      ...(document_id !== null && relevant.documents.has(document_id) ? [`document ${document_id}`] : []),
    ]
    const newItems = items.filter((item) => !foundItems.has(item))
    for (const item of newItems) foundItems.add(item)
    return { isRelevant: items.length > 0, newItems: newItems.length }
  })
}

/** Rank of the first relevant passage, from 1; 0 without one. */
export const findFirstRank = (found: readonly RankedPassage[], relevant: RelevantItems): number =>
  toGains(found, relevant).findIndex(({ isRelevant }) => isRelevant) + 1

export interface RetrievalMetrics {
  hit: number
  mrr: number
  ndcg: number
  recall: number
  precision: number
}

/**
 * The measures of one ranking over its first `k` ranks, or over all. Relevance is binary. nDCG discounts by log2(rank
 * + 1), and its ideal has every item at the top; precision divides by the number of results, or by `k`.
 */
export function measureRetrieval(
  ranking: readonly RankedPassage[],
  relevant: RelevantItems,
  k: number | undefined,
): RetrievalMetrics {
  const gains = toGains(ranking.slice(0, k), relevant)
  const rank = gains.findIndex(({ isRelevant }) => isRelevant) + 1
  const places = k ?? gains.length
  const foundItems = sum(gains.map(({ newItems }) => newItems))
  const gain = sum(gains.map(({ newItems }, index) => (newItems > 0 ? 1 : 0) / Math.log2(index + 2)))
  const idealPlaces = Math.min(relevant.size, k ?? Math.max(gains.length, 1))
  const ideal = sum(Array.from({ length: idealPlaces }, (_, index) => 1 / Math.log2(index + 2)))
  return {
    hit: rank > 0 ? 1 : 0,
    mrr: rank > 0 ? 1 / rank : 0,
    ndcg: ideal === 0 ? 0 : Math.min(1, gain / ideal),
    recall: relevant.size === 0 ? 0 : foundItems / relevant.size,
    precision: places === 0 ? 0 : gains.filter(({ isRelevant }) => isRelevant).length / places,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
