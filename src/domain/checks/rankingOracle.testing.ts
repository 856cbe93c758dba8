import { seededRandom } from '#support/seededRandom.ts'
import { measureRetrieval, type RetrievalMetrics, toRelevantItems } from './retrievalMetrics.ts'

const RANKING_SEED = 25

/** The measures of a ranking straight from the definitions, one place after the other. */
function measureNaively(ranking: readonly string[], relevant: readonly string[], k: number): RetrievalMetrics {
  const top = ranking.slice(0, k)
  const hits = top.filter((id) => relevant.includes(id))
  const first = top.findIndex((id) => relevant.includes(id))
  let dcg = 0
  for (let place = 1; place <= top.length; place++)
    if (relevant.includes(top[place - 1] ?? '')) dcg += Math.LN2 / Math.log(place + 1)
  let ideal = 0
  for (let place = 1; place <= Math.min(k, relevant.length); place++) ideal += Math.LN2 / Math.log(place + 1)
  return {
    hit: hits.length > 0 ? 1 : 0,
    mrr: first === -1 ? 0 : 1 / (first + 1),
    ndcg: dcg / ideal,
    recall: hits.length / relevant.length,
    precision: hits.length / k,
  }
}

/** The largest difference of any measure from the definitions, over so many random rankings. */
export function findMaxMetricDifference(rankings: number): number {
  const random = seededRandom(RANKING_SEED)
  const pick = (max: number) => Math.floor(random() * max)
  let max = 0
  for (let round = 0; round < rankings; round++) {
    const ranking = [...new Set(Array.from({ length: pick(12) }, () => `s${pick(15)}`))]
    const relevant = [...new Set(Array.from({ length: 1 + pick(5) }, () => `s${pick(15)}`))]
    const k = 1 + pick(10)
    const passages = ranking.map((segment_id) => ({ segment_id, document_id: `doc ${segment_id}` }))
    const measured = measureRetrieval(passages, toRelevantItems({ segments: relevant.map((id) => ({ id })) }), k)
    const naive = measureNaively(ranking, relevant, k)
    for (const name of Object.keys(naive) as (keyof RetrievalMetrics)[])
      max = Math.max(max, Math.abs(measured[name] - naive[name]))
  }
  return max
}
