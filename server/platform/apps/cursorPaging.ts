import { and, asc, desc, eq, gt, lt, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Sort order by time, newest or oldest first; ties are ordered by id. */
export interface RowOrder {
  by: PgColumn
  id: PgColumn
  newestFirst: boolean
}

export const toOrderBy = ({ by, id, newestFirst }: RowOrder): SQL[] =>
  newestFirst ? [desc(by), desc(id)] : [asc(by), asc(id)]

/** The rows after a given row, in an order. */
export function isAfterRow({ by, id, newestFirst }: RowOrder, row: { at: Date; id: string }): SQL | undefined {
  const isPast = newestFirst ? lt : gt
  return or(isPast(by, row.at), and(eq(by, row.at), isPast(id, row.id)))
}

/** A page that was read with one extra row, to detect whether there are more. */
export function toCursorPage<Row>(rows: Row[], limit: number): { rows: Row[]; has_more: boolean } {
  return { rows: rows.slice(0, limit), has_more: rows.length > limit }
}
