import type { Pool, PoolClient } from 'pg'
import { toUnixSeconds } from '../platformContext.ts'
import { toNotFoundError } from '../platformErrors.ts'
import type { childChunks, segments } from '../schema.ts'

export type SegmentRow = typeof segments.$inferSelect & { hit_count: number }
export type ChildChunkRow = typeof childChunks.$inferSelect

/** In the order of the interface's record; `updated_at` is only in some records. */
export const SEGMENT_COLUMNS = `s.id, s.position, s.document_id, s.content, s.answer, s.word_count, s.tokens, s.keywords,
    s.index_node_id, s.index_node_hash, coalesce(h.hit_count, 0) AS hit_count, s.enabled, s.disabled_at, s.disabled_by, s.status,
    s.created_by, s.created_at, s.indexing_at, s.completed_at, s.error, s.stopped_at, s.updated_at
  FROM platform.segments s LEFT JOIN platform.hits h ON h.segment_id = s.id`

/** In the order of the interface's record, with upstream's `position`, `type` and `updated_at`. */
export const CHILD_CHUNK_COLUMNS = `id, segment_id, content, position, type, word_count, tokens, index_node_id, index_node_hash,
    status, created_by, created_at, updated_at, indexing_at, completed_at, error, stopped_at
  FROM platform.child_chunks`

/** @throws PlatformError 404 */
export async function requireSegment(
  pool: Pool | PoolClient,
  document_id: string,
  segment_id: string,
): Promise<SegmentRow> {
  const { rows } = await pool.query<SegmentRow>(`SELECT ${SEGMENT_COLUMNS} WHERE s.id = $1 AND s.document_id = $2`, [
    segment_id,
    document_id,
  ])
  if (!rows[0]) throw toNotFoundError('Segment')
  return rows[0]
}

export async function readSegments(pool: Pool, ids: readonly string[]): Promise<Map<string, SegmentRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<SegmentRow>(`SELECT ${SEGMENT_COLUMNS} WHERE s.id = ANY($1::uuid[])`, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Segment record in the interface's format, with only those upstream fields that every record has. */
export const toSegmentFields = ({ updated_at: _, ...row }: SegmentRow) => toInterfaceRow(row)

/** Segment record of the operations on segments, with upstream's additional fields. */
export const toSegment = (row: SegmentRow, children: readonly ChildChunkRow[] = []) => ({
  ...toSegmentFields(row),
  sign_content: row.content,
  updated_at: toTimestamp(row.updated_at),
  updated_by: row.updated_at > row.created_at ? row.created_by : null,
  child_chunks: children.map(toInterfaceRow),
  attachments: [],
  summary: null,
})

/** Adds the child chunks, in order, to segments of a document; only hierarchical documents have any. */
export async function toSegments(
  pool: Pool,
  rows: readonly SegmentRow[],
  doc_form: string,
): Promise<ReturnType<typeof toSegment>[]> {
  if (doc_form !== 'hierarchical_model') return rows.map((row) => toSegment(row))
  const children = await pool.query<ChildChunkRow>(
    `SELECT ${CHILD_CHUNK_COLUMNS} WHERE segment_id = ANY($1::uuid[]) ORDER BY position, id`,
    [rows.map(({ id }) => id)],
  )
  const bySegment = Map.groupBy(children.rows, ({ segment_id }) => segment_id)
  return rows.map((row) => toSegment(row, bySegment.get(row.id)))
}

/** A time in the interface's format: whole seconds, or null. */
export const toTimestamp = (date: Date | null): number | null => date && toUnixSeconds(date.getTime())

type InterfaceRow<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? Exclude<Row[Name], Date> | number : Row[Name]
}

/** A row in the interface's format: its times are whole seconds. */
export const toInterfaceRow = <Row extends object>(row: Row): InterfaceRow<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? toTimestamp(value) : value]),
  ) as InterfaceRow<Row>
