import type { PoolClient } from 'pg'
import { toQueryClauses, toRelaxedClauses, idfWeights } from './queryClauses.ts'
import { toDatasetMarker, toQueryTerms } from './termVector.ts'
import { mergeStatistics, type TermStatistics } from './termStatistics.ts'

/** A passage that was found, with its scores so far, each from 0 to 1. */
export interface ScoredPassage {
  id: string
  segment_id: string
  child_chunk_id: string | null
  score: number
}

export interface KeywordQuery {
  query: string
  /** Ids of the datasets searched; null if these are all. */
  dataset_ids: readonly string[] | null
  /** Ids of the documents searched; null if these are all. */
  document_ids: readonly string[] | null
  statistics: readonly TermStatistics[]
  limit: number
}

/** Maximum scored passages, regardless of the statistics. */
const MAX_SCORED_PASSAGES = 450

/** Documents whose segments are searchable. */
export const FINDABLE_DOCUMENT_SQL = `d.enabled AND NOT d.archived AND d.indexing_status = 'completed' AND d.removed_at IS NULL`

/** A subquery instead of a join: without table statistics the planner would start a join with the documents. */
const OF_FINDABLE_DOCUMENT_SQL = `(SELECT ${FINDABLE_DOCUMENT_SQL} FROM platform.documents d WHERE d.id = p.document_id)`

/**
 * BM25 relative to the maximum score of the question's terms: 1 for a passage that has all of them often. Length
 * normalization as in BM25, with k1 0.6 and b 0.5.
 */
const BM25_SCORE_SQL = `(
  SELECT sum(q.weight * tf / (tf + 0.3 + 0.3 * p.length / $3::float8))
    FROM unnest($1::int4[], $2::float8[]) AS q(term, weight),
         LATERAL (SELECT cardinality(array_positions(p.terms, q.term))::float8 AS tf) AS counted)`

/**
 * The scorer of a question: its passages by keyword, best first, and the score of passages that were found by other
 * means.
 */
export function createKeywordSearch(keywordQuery: KeywordQuery) {
  const statistics = mergeStatistics(keywordQuery.statistics)
  const { terms, totalWeight: maxWeight } = idfWeights(toQueryTerms(keywordQuery.query), statistics)
  const weights = [
    terms.map(({ term }) => term),
    terms.map(({ weight }) => weight / (maxWeight || 1)),
    statistics.words,
  ]

  const search = async (client: PoolClient, clauses: number[][]): Promise<ScoredPassage[]> => {
    const { condition, values } = toCondition(clauses, keywordQuery, weights.length)
    const { rows } = await client.query<ScoredPassage>(
      `SELECT id, segment_id, child_chunk_id, ${BM25_SCORE_SQL} AS score
         FROM (SELECT * FROM platform.passages p WHERE (${condition}) AND ${OF_FINDABLE_DOCUMENT_SQL} LIMIT ${MAX_SCORED_PASSAGES}) p
        ORDER BY score DESC, id LIMIT ${keywordQuery.limit}`,
      [...weights, ...values],
    )
    return rows
  }

  return {
    async find(client: PoolClient): Promise<ScoredPassage[]> {
      if (terms.length === 0) return []
      const passages = await search(client, toQueryClauses(terms, statistics.passages))
      if (passages.length >= keywordQuery.limit || terms.length === 1) return passages
      const relaxedPassages = await search(client, toRelaxedClauses(terms))
      const knownIds = new Set(passages.map(({ id }) => id))
      return [...passages, ...relaxedPassages.filter(({ id }) => !knownIds.has(id))].sort(
        (one, other) => other.score - one.score,
      )
    },
    async score(client: PoolClient, ids: readonly string[]): Promise<Map<string, number>> {
      if (terms.length === 0 || ids.length === 0) return new Map()
      const { rows } = await client.query<{ id: string; score: number }>(
        `SELECT id, ${BM25_SCORE_SQL} AS score FROM platform.passages p WHERE id = ANY($4::uuid[])`,
        [...weights, ids],
      )
      return new Map(rows.map(({ id, score }) => [id, score]))
    },
  }
}

/** Each arm is one index scan over the terms, with the datasets' markers unless all are searched. */
function toCondition(
  clauses: number[][],
  { dataset_ids, document_ids }: Pick<KeywordQuery, 'dataset_ids' | 'document_ids'>,
  offset: number,
) {
  const values: unknown[] = clauses.map((arm) => arm)
  const markers = dataset_ids && ` AND p.terms && $${offset + values.push(dataset_ids.map(toDatasetMarker))}::int4[]`
  const condition = clauses
    .map((_, index) => `(p.terms @> $${offset + index + 1}::int4[]${markers ?? ''})`)
    .join(' OR ')
  if (!document_ids) return { condition, values }
  return { condition: `(${condition}) AND p.document_id = ANY($${offset + values.push(document_ids)}::uuid[])`, values }
}
