import type { Pool } from 'pg'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'

/** Questions that are looked at: the newest retrieval tests, and the newest answers of each kind. */
const MAX_QUESTIONS_PER_ENTRY = 1_000
/** Calls with documents in their reply, and runs with sources in their answer. */
const RETRIEVAL_ENTRY = 'adjacent.retrieve'
const ANSWER_ENTRIES = ['chat.send', 'completion.send']

export interface RetrievedDocuments {
  ids: string[]
  questions: number
  /** Whether all questions since then were looked at. */
  isComplete: boolean
}

/**
 * The documents of a dataset that questions since a time found: hits of retrieval tests and sources of answers. Each
 * statement walks one index, newest first, over a bounded number of calls.
 */
export async function findRetrievedDocuments(
  pool: Pool,
  { workspace, dataset, since }: { workspace: string; dataset: string; since: Date },
  accessScope: AccessScope,
): Promise<RetrievedDocuments> {
  const values = [workspace, since, dataset, accessScope]
  const scans = await Promise.all([
    pool.query<ScanRow>(
      `WITH recent AS (${toRecentSql('resource_ids', RETRIEVAL_ENTRY)})
       SELECT (SELECT count(*)::int4 FROM recent) AS questions,
         ARRAY(SELECT DISTINCT id FROM recent, unnest(resource_ids) AS id WHERE resource_ids @> ARRAY[$3::text]) AS ids`,
      values,
    ),
    ...ANSWER_ENTRIES.map((entry) =>
      pool.query<ScanRow>(
        // Ids are compared as JSON texts: a text that no PostgreSQL value can hold is never decoded.
        `WITH recent AS (${toRecentSql(`answer->'sources' AS sources`, entry)}), source AS (
           SELECT json_array_elements(sources) AS one FROM recent WHERE json_typeof(sources) = 'array')
         SELECT (SELECT count(*)::int4 FROM recent) AS questions,
           ARRAY(SELECT DISTINCT trim('"' FROM (one->'document_id')::text) FROM source
             WHERE json_typeof(one) = 'object' AND (one->'dataset_id')::text = to_json($3::text)::text) AS ids`,
        values,
      ),
    ),
  ])
  const rows = scans.flatMap((scan) => scan.rows)
  return {
    ids: [...new Set(rows.flatMap(({ ids }) => ids.flatMap((id) => (id === null || id === dataset ? [] : id))))],
    questions: rows.reduce((sum, { questions }) => sum + questions, 0),
    isComplete: rows.every(({ questions }) => questions < MAX_QUESTIONS_PER_ENTRY),
  }
}

interface ScanRow {
  questions: number
  ids: (string | null)[]
}

/** Parameters: $1 the workspace, $2 since when, $4 the access scope. */
const toRecentSql = (columns: string, entry: string): string =>
  `SELECT ${columns} FROM calls WHERE workspace_id = $1 AND entry = '${entry}' AND created_at >= $2
     AND ${scopeFilter('calls', 4)} ORDER BY created_at DESC LIMIT ${MAX_QUESTIONS_PER_ENTRY}`
