/** Number of results that the metrics look at. */
export const METRICS_DEPTH = 10

/** Metrics of one ranked list, each from 0 to 1. */
export interface RankingMetrics {
  /** Normalized discounted cumulative gain of the first 10. */
  ndcg: number
  /** 1 / rank of the first relevant result among the first 10; 0 where there is none. */
  reciprocalRank: number
  /** Share of all relevant documents that are among the first 10. */
  recall: number
  /** 1 if the first result is relevant. */
  hitAt1: number
}

/**
 * Binary relevance: grades are not weighed. A document that is found more than once counts once, at its first rank.
 * @param ranking Document ids, best first.
 * @param relevant Ids of all relevant documents; not empty.
 */
export function computeRankingMetrics(ranking: readonly string[], relevant: ReadonlySet<string>): RankingMetrics {
  const ranked = [...new Set(ranking)].slice(0, METRICS_DEPTH)
  const isRelevant = ranked.map((id) => relevant.has(id))
  const gain = isRelevant.reduce((sum, is, index) => sum + (is ? discount(index) : 0), 0)
  const first = isRelevant.indexOf(true)
  return {
    ndcg: gain / getIdealGain(relevant.size),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    recall: isRelevant.filter(Boolean).length / relevant.size,
    hitAt1: isRelevant[0] ? 1 : 0,
  }
}

/** The mean of each metric over all queries. */
export function averageRankingMetrics(all: readonly RankingMetrics[]): RankingMetrics {
  const average = (name: keyof RankingMetrics) => all.reduce((sum, one) => sum + one[name], 0) / all.length
  return {
    ndcg: average('ndcg'),
    reciprocalRank: average('reciprocalRank'),
    recall: average('recall'),
    hitAt1: average('hitAt1'),
  }
}

/** All relevant documents at the top of the list. */
function getIdealGain(relevantCount: number): number {
  let gain = 0
  for (let index = 0; index < Math.min(relevantCount, METRICS_DEPTH); index++) gain += discount(index)
  return gain
}

const discount = (index: number): number => 1 / Math.log2(index + 2)
