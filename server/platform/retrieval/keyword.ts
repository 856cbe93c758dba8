import type { PoolClient } from 'pg'
import { armsOf, relaxedArms, weigh } from './arms.ts'
import { markerOf, questionTerms } from './bag.ts'
import { merge, type Statistics } from './statistics.ts'

/** A passage that was found, with the scores that it has so far, each from 0 to 1. */
export interface Found {
  id: string
  segment_id: string
  child_chunk_id: string | null
  score: number
}

export interface KeywordQuestion {
  query: string
  /** Ids of the datasets searched; null when that is all of them. */
  dataset_ids: readonly string[] | null
  statistics: readonly Statistics[]
  limit: number
}

/** At most so many passages are scored, whatever the statistics made of the question. */
const MOST_SCORED = 450

/** Documents whose segments may be found. */
export const FINDABLE = `d.enabled AND NOT d.archived AND d.indexing_status = 'completed' AND d.removed_at IS NULL`

/** As a subquery and not a join: a planner that knows nothing of the tables would begin a join with the documents. */
const OF_FINDABLE = `(SELECT ${FINDABLE} FROM platform.documents d WHERE d.id = p.document_id)`

/**
 * BM25's share of what the question's words could score at most: 1 for a passage that has them all, often. Length counts
 * as BM25 does, with k1 0.6 and b 0.5.
 */
const SCORE = `(
  SELECT sum(q.weight * tf / (tf + 0.3 + 0.3 * p.length / $3::float8))
    FROM unnest($1::int4[], $2::float8[]) AS q(term, weight),
         LATERAL (SELECT cardinality(array_positions(p.terms, q.term))::float8 AS tf) AS counted)`

/** The scorer of a question: its passages by keyword, best first, and the score of passages found otherwise. */
export function keywordSearch(question: KeywordQuestion) {
  const statistics = merge(question.statistics)
  const { terms, most } = weigh(questionTerms(question.query), statistics)
  const weights = [terms.map(({ term }) => term), terms.map(({ weight }) => weight / (most || 1)), statistics.words]

  const search = async (client: PoolClient, arms: number[][]): Promise<Found[]> => {
    const { condition, values } = conditionOf(arms, question.dataset_ids, weights.length)
    const { rows } = await client.query<Found>(
      `SELECT id, segment_id, child_chunk_id, ${SCORE} AS score
         FROM (SELECT * FROM platform.passages p WHERE (${condition}) AND ${OF_FINDABLE} LIMIT ${MOST_SCORED}) p
        ORDER BY score DESC, id LIMIT ${question.limit}`,
      [...weights, ...values],
    )
    return rows
  }

  return {
    async find(client: PoolClient): Promise<Found[]> {
      if (terms.length === 0) return []
      const found = await search(client, armsOf(terms, statistics.passages))
      if (found.length >= question.limit || terms.length === 1) return found
      const more = await search(client, relaxedArms(terms))
      const known = new Set(found.map(({ id }) => id))
      return [...found, ...more.filter(({ id }) => !known.has(id))].sort((one, other) => other.score - one.score)
    },
    async score(client: PoolClient, ids: readonly string[]): Promise<Map<string, number>> {
      if (terms.length === 0 || ids.length === 0) return new Map()
      const { rows } = await client.query<{ id: string; score: number }>(
        `SELECT id, ${SCORE} AS score FROM platform.passages p WHERE id = ANY($4::uuid[])`,
        [...weights, ids],
      )
      return new Map(rows.map(({ id, score }) => [id, score]))
    },
  }
}

/** Each arm is one scan of the index over the terms, with the datasets' markers where not all are searched. */
function conditionOf(arms: number[][], dataset_ids: readonly string[] | null, offset: number) {
  const values: unknown[] = arms.map((arm) => arm)
  const markers = dataset_ids && ` AND p.terms && $${offset + values.push(dataset_ids.map(markerOf))}::int4[]`
  const condition = arms.map((_, index) => `(p.terms @> $${offset + index + 1}::int4[]${markers ?? ''})`).join(' OR ')
  return { condition, values }
}
