import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import { toTermVector } from '#domain/keywordSearch/termVector.ts'
import { TERMS_VERSION } from './termsVersion.ts'

/** Writes passages of one completed document straight into a database, and gives their ids in order. */
export async function insertPassages({ pool }: Database, dataset_id: string, texts: string[]): Promise<string[]> {
  const document_id = randomUUID()
  const rows = texts.map((text) => ({
    id: randomUUID() as string,
    segment_id: randomUUID(),
    ...toTermVector(text, { dataset_id, title: '' }),
  }))
  await pool.query(
    `INSERT INTO platform.datasets (id, name, description, provider, permission, retrieval_model, partial_members,
            created_by, created_at, updated_by, updated_at, terms_version)
     VALUES ($1, $3, '', 'vendor', 'only_me', '{}', '{}', $1, now(), $1, now(), $2)`,
    [dataset_id, TERMS_VERSION, `Dataset ${dataset_id}`],
  )
  await pool.query(
    `INSERT INTO platform.documents (id, dataset_id, position, name, source_id, process_rule_id, created_by, created_at,
            updated_at, doc_form, doc_language, batch, indexing_status, queued_at, passages)
     VALUES ($1, $2, 1, 'document', $1, $1, $1, now(), now(), 'text_model', '', '', 'completed', now(), $3)`,
    [document_id, dataset_id, texts.length],
  )
  await pool.query(
    `INSERT INTO platform.passages (id, dataset_id, document_id, segment_id, terms, length, terms_version)
     SELECT id, $2, $3, segment_id, terms, length, $4
       FROM json_to_recordset($1::json) AS row (id uuid, segment_id uuid, terms int4[], length int4)`,
    [JSON.stringify(rows), dataset_id, document_id, TERMS_VERSION],
  )
  return rows.map(({ id }) => id)
}

/** The client, with the plan of each query that has values added to `plans`. */
export const watchPlans = (client: PoolClient, plans: string[]): PoolClient =>
  ({
    query: async (sql: string, values?: unknown[]) => {
      if (!values) return client.query(sql)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return client.query(sql, values)
    },
  }) as unknown as PoolClient
