import type { Pool } from 'pg'

/** Rows per statement, so that the database is never blocked for long. */
const ROWS_PER_DELETE = 300

/** Deletes all segments of a document with their children and passages. */
export async function deleteSegments(pool: Pool, document_id: string): Promise<void> {
  await inBatches(() => deletePassages(pool, document_id))
  await inBatches(async () => {
    const { rowCount } = await pool.query(
      `WITH slice AS (SELECT id FROM platform.segments WHERE document_id = $1 LIMIT ${ROWS_PER_DELETE}),
            uncounted AS (DELETE FROM platform.hits WHERE segment_id IN (SELECT id FROM slice))
       DELETE FROM platform.segments WHERE id IN (SELECT id FROM slice)`,
      [document_id],
    )
    return rowCount
  })
}

const deletePassages = async (pool: Pool, document_id: string) =>
  (
    await pool.query(
      `DELETE FROM platform.passages
        WHERE id IN (SELECT id FROM platform.passages WHERE document_id = $1 LIMIT ${ROWS_PER_DELETE})`,
      [document_id],
    )
  ).rowCount

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
    await deleteSegments(pool, document.id)
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

async function inBatches(remove: () => Promise<number | null>): Promise<void> {
  while ((await remove()) === ROWS_PER_DELETE);
}
