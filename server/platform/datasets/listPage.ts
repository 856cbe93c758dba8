import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import { toSearchKey } from '#domain/searchKey.ts'

/** A page of a list in the interface's format. */
export const toListPage = <Item>(data: Item[], total: number, { page, limit }: { page: number; limit: number }) => ({
  data,
  has_more: page * limit < total,
  limit,
  total,
  page,
})

/** Rows compared at a time, so that other requests run in between. */
const ROWS_PER_STEP = 200

/**
 * The ids of the rows whose text contains the keyword; null without a keyword. The search key of a text is computed
 * here: in SQL it takes ten times as long. `sql` selects `id` and `text`.
 */
export async function findByKeyword(
  pool: Pool,
  keyword: string | undefined,
  sql: string,
  values: unknown[],
): Promise<string[] | null> {
  const key = toSearchKey(keyword ?? '')
  if (key === '') return null
  const { rows } = await pool.query<{ id: string; text: string }>(sql, values)
  const ids: string[] = []
  for (const [index, { id, text }] of rows.entries()) {
    if (index % ROWS_PER_STEP === 0) await setImmediate()
    if (toSearchKey(text).includes(key)) ids.push(id)
  }
  return ids
}
