import type { Pool, PoolClient } from 'pg'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { compareScores, type ScoredPassage } from '#domain/keywordSearch/passageScoring.ts'
import { FINDABLE_DOCUMENT_SQL } from './searchableDatasets.ts'

/** pgvector's maximum of indexed dimensions; longer vectors are compared one by one. */
const MAX_INDEXED_DIMENSIONS = 2000

export interface VectorSearch {
  /** Creates the index for vectors of this length. Without pgvector there is none. */
  ensureIndex: (dimensions: number) => Promise<void>
  findNearest: (client: PoolClient, question: VectorQuery) => Promise<ScoredPassage[]>
  scorePassages: (
    client: PoolClient,
    vector: number[],
    model: string,
    ids: readonly string[],
  ) => Promise<Map<string, number>>
  scoreVectors: (
    client: PoolClient,
    vector: number[],
    others: ReadonlyMap<string, readonly number[]>,
  ) => Promise<Map<string, number>>
}

export interface VectorQuery {
  /** A unit vector. */
  vector: number[]
  model: string
  dataset_ids: readonly string[]
  /** Ids of the searched documents; null for all. */
  document_ids: readonly string[] | null
  limit: number
  /** Ids of excluded segments. */
  hidden: readonly string[]
}

/**
 * Vector search. Vectors are stored as `real[]`, which every PostgreSQL has. With pgvector a cast of them is indexed;
 * without it, each vector of the datasets is compared, which takes a fifth of a millisecond.
 */
export function createVectorSearch(
  database: Pick<Database, 'pool' | 'unboundedPool' | 'withAdvisoryLock'>,
): VectorSearch {
  let extension: boolean | undefined
  /**
   * Queries the given connection, and caches the result, not the promise: inside a transaction the embedded database
   * has no other connection, so awaiting a query of the pool would deadlock.
   */
  const hasExtension = async (connection: Pool | PoolClient): Promise<boolean> =>
    (extension ??= await hasVectorExtension(connection))
  const prepared = new Set<number>()

  return {
    async ensureIndex(dimensions) {
      if (prepared.has(dimensions) || dimensions > MAX_INDEXED_DIMENSIONS || !(await hasExtension(database.pool)))
        return
      // Small lists: inserting takes a third of the time of pgvector's defaults, and blocks the database for less
      // time. IF NOT EXISTS does not prevent two servers from creating it at once.
      await database.withAdvisoryLock(ADVISORY_LOCKS.vectorIndex, () =>
        database.unboundedPool.query(
          `CREATE INDEX IF NOT EXISTS embeddings_by_${dimensions}_dimensions ON platform.embeddings
            USING hnsw ((vector::vector(${dimensions})) vector_cosine_ops) WITH (m = 8, ef_construction = 32)
            WHERE cardinality(vector) = ${dimensions}`,
        ),
      )
      prepared.add(dimensions)
    },

    async findNearest(client, { vector, model, dataset_ids, document_ids, limit, hidden }) {
      const near = toDistanceSql(vector.length, await hasExtension(client))
      if (near.setting) await client.query(near.setting)
      const values: unknown[] = [toSqlArray(vector), model, dataset_ids]
      let condition = OF_FINDABLE_DOCUMENT_SQL
      if (document_ids) condition += ` AND ${toPassageCondition('p.document_id', values.push(document_ids))}`
      if (hidden.length > 0) condition += ` AND NOT ${toPassageCondition('p.segment_id', values.push(hidden))}`
      const { rows } = await client.query<ScoredPassage>(
        `SELECT p.id, p.segment_id, p.child_chunk_id, nearest.score
           FROM (SELECT e.passage_id, greatest(0, ${near.score}) AS score FROM platform.embeddings e
                  WHERE cardinality(e.vector) = ${vector.length} AND e.model = $2 AND e.dataset_id = ANY($3::uuid[])
                    AND ${condition}
                  ORDER BY ${near.order} LIMIT ${limit}) nearest
           JOIN platform.passages p ON p.id = nearest.passage_id`,
        values,
      )
      return rows.sort(compareScores)
    },

    async scorePassages(client, vector, model, ids) {
      if (ids.length === 0) return new Map()
      const near = toDistanceSql(vector.length, await hasExtension(client))
      const { rows } = await client.query<{ id: string; score: number }>(
        `SELECT e.passage_id AS id, greatest(0, ${near.score}) AS score FROM platform.embeddings e
          WHERE e.passage_id = ANY($3::uuid[]) AND e.model = $2 AND cardinality(e.vector) = ${vector.length}`,
        [toSqlArray(vector), model, ids],
      )
      return new Map(rows.map(({ id, score }) => [id, score]))
    },

    async scoreVectors(client, vector, others) {
      if (others.size === 0) return new Map()
      const near = toDistanceSql(vector.length, await hasExtension(client))
      const given = [...others].flatMap(([id, other]) =>
        other.length === vector.length ? [{ id, vector: other }] : [],
      )
      const { rows } = await client.query<{ id: string; score: number }>(
        `SELECT e.id, greatest(0, ${near.score}) AS score FROM json_to_recordset($2::json) AS e(id uuid, vector real[])`,
        [toSqlArray(vector), JSON.stringify(given)],
      )
      return new Map(rows.map(({ id, score }) => [id, score]))
    },
  }
}

/** Normalized to length 1, so that the dot product is the cosine. A zero vector remains zero. */
export function normalizeVector(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : [...vector]
}

export const toSqlArray = (vector: readonly number[]): string => `{${vector.join(',')}}`

/** A subquery instead of a join, so that the planner uses the vector index. */
const OF_FINDABLE_DOCUMENT_SQL = `(SELECT ${FINDABLE_DOCUMENT_SQL} FROM platform.passages p JOIN platform.documents d ON d.id = p.document_id
  WHERE p.id = e.passage_id)`

const toPassageCondition = (column: string, parameter: number): string =>
  `EXISTS (SELECT 1 FROM platform.passages p WHERE p.id = e.passage_id AND ${column} = ANY($${parameter}::uuid[]))`

async function hasVectorExtension(connection: Pool | PoolClient): Promise<boolean> {
  const { rowCount } = await connection.query(`SELECT 1 FROM pg_extension WHERE extname = 'vector'`)
  return rowCount === 1
}

function toDistanceSql(dimensions: number, extension: boolean) {
  if (!extension) {
    const product = '(SELECT sum(a * b) FROM unnest(e.vector, $1::real[]) AS pair(a, b))'
    return { score: product, order: `${product} DESC`, setting: null }
  }
  const distance = `e.vector::vector(${dimensions}) <=> $1::real[]::vector(${dimensions})`
  return {
    score: `1 - (${distance})`,
    order: distance,
    // Iterative scan: a dataset with a small share of the index is searched until there are enough results.
    setting:
      'SET LOCAL hnsw.ef_search = 100; SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL enable_sort = off',
  }
}
