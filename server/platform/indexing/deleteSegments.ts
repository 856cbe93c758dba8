import type { Pool, PoolClient } from 'pg'
import { HAS_SEGMENT_SQL } from './segmentStore.ts'

/** Rows per statement, so that the database is never blocked for long. */
const ROWS_PER_DELETE = 300

/** Deletes the next segments of documents with their children. @returns false if there were none */
export async function deleteNextSegments(client: Pool | PoolClient, document_ids: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH slice AS (SELECT id FROM platform.segments WHERE document_id = ANY($1::uuid[]) LIMIT ${ROWS_PER_DELETE}),
          uncounted AS (DELETE FROM platform.hits WHERE segment_id IN (SELECT id FROM slice))
     DELETE FROM platform.segments WHERE id IN (SELECT id FROM slice)`,
    [document_ids],
  )
  return rowCount !== 0
}

export async function deleteFormerPassages(client: Pool | PoolClient, document_ids: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM platform.passages p WHERE document_id = ANY($1::uuid[]) AND NOT ${HAS_SEGMENT_SQL}`,
    [document_ids],
  )
  const ids = rows.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += ROWS_PER_DELETE)
    await client.query('DELETE FROM platform.passages WHERE id = ANY($1::uuid[])', [
      ids.slice(from, from + ROWS_PER_DELETE),
    ])
}

/**
 * Deletes rows that are marked as removed. Returns whether there were any, so that the caller can do other work in
 * between.
 */
export async function deleteRemoved(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM platform.documents WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 1',
  )
  const document = rows[0]
  if (document) {
    while (await deleteNextSegments(pool, [document.id]));
    await deleteFormerPassages(pool, [document.id])
    await pool.query('DELETE FROM platform.documents WHERE id = $1', [document.id])
    return true
  }
  const { rowCount } = await pool.query('DELETE FROM platform.datasets WHERE removed_at IS NOT NULL')
  if (rowCount === 0) return false
  // No foreign key: it would be checked for every term of every passage that is added.
  for (const table of ['passage_totals', 'term_counts'])
    await pool.query(
      `DELETE FROM platform.${table} t WHERE NOT EXISTS (SELECT 1 FROM platform.datasets d WHERE d.id = t.dataset_id)`,
    )
  return true
}
