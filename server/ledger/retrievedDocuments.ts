import type { Pool } from 'pg'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'

/** Questions that are read: the newest retrieval tests, and the newest answers of each kind. */
const MAX_QUESTIONS_PER_ENTRY = 1_000
/** Calls with documents in their reply, and runs with sources in their answer. */
const RETRIEVAL_ENTRY = 'adjacent.retrieve'
const ANSWER_ENTRIES = ['chat.send', 'completion.send']
/** Inside a JSON string the quotes would be escaped, so this matches a field. */
const DOCUMENT_ID_PATTERN = '"document_id"\\s*:\\s*"([^"\\\\]+)"'

export interface RetrievedDocuments {
  ids: string[]
  /** The keys of the apps whose answers cited the dataset. */
  apps: string[]
  questions: number
  /** Whether all questions since then were read. */
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
  const scan = (entry: string, idsSql: string) =>
    pool.query<ScanRow>(
      `WITH recent AS (
         SELECT key_id, resource_ids, answer FROM calls WHERE workspace_id = $1 AND entry = '${entry}' AND created_at >= $2
           AND ${scopeFilter('calls', 4)} ORDER BY created_at DESC LIMIT ${MAX_QUESTIONS_PER_ENTRY})
       SELECT (SELECT count(*)::int4 FROM recent) AS questions, ARRAY(
         SELECT id FROM (SELECT DISTINCT ${idsSql} AS id FROM recent) AS found WHERE EXISTS (
           SELECT FROM resources WHERE workspace_id = $1 AND kind = 'document' AND resources.id = found.id AND parent = $3
         )) AS ids,
         ARRAY(SELECT DISTINCT key_id::text FROM recent WHERE strpos(answer::text, '"dataset_id":"' || $3 || '"') > 0) AS apps`,
      values,
    )
  const scans = await Promise.all([
    scan(RETRIEVAL_ENTRY, 'unnest(resource_ids)'),
    // The database cannot parse all JSON that a platform sends (`\u0000`), so the text is searched.
    ...ANSWER_ENTRIES.map((entry) => scan(entry, `(regexp_matches(answer::text, '${DOCUMENT_ID_PATTERN}', 'g'))[1]`)),
  ])
  const rows = scans.flatMap((one) => one.rows)
  return {
    ids: [...new Set(rows.flatMap(({ ids }) => ids))],
    apps: [...new Set(rows.flatMap(({ apps }) => apps))],
    questions: rows.reduce((sum, { questions }) => sum + questions, 0),
    isComplete: rows.every(({ questions }) => questions < MAX_QUESTIONS_PER_ENTRY),
  }
}

interface ScanRow {
  questions: number
  ids: string[]
  apps: string[]
}
