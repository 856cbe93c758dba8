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

/** Rows that are compared at a time, so that other requests are answered in between. */
const ROWS_PER_STEP = 200

/**
 * The ids of the rows whose text has the keyword, or null without one. The search key of a text is made here: in SQL it takes
 * ten times as long. `sql` selects `id` and `text` in a fixed order.
 */
export async function findByKeyword(
  pool: Pool,
  keyword: string | undefined,
  sql: string,
  values: readonly unknown[],
): Promise<string[] | null> {
  const key = toSearchKey(keyword ?? '')
  if (key === '') return null
  const ids: string[] = []
  for (let offset = 0; ; offset += ROWS_PER_STEP) {
    const { rows } = await pool.query<{ id: string; text: string }>(`${sql} LIMIT ${ROWS_PER_STEP} OFFSET ${offset}`, [
      ...values,
    ])
    ids.push(...rows.filter(({ text }) => toSearchKey(text).includes(key)).map(({ id }) => id))
    if (rows.length < ROWS_PER_STEP) return ids
  }
}
