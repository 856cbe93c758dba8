import type { Pool, PoolClient } from 'pg'
import { toUnixSeconds } from '../platformContext.ts'
import { toNotFoundError } from '../platformErrors.ts'

export interface SegmentRow {
  id: string
  document_id: string
  position: number
  content: string
  answer: string | null
  keywords: string[]
  word_count: number
  tokens: number
  index_node_id: string
  index_node_hash: string
  hit_count: number
  enabled: boolean
  disabled_at: Date | null
  disabled_by: string | null
  status: string
  created_by: string
  created_at: Date
  updated_at: Date
  indexing_at: Date
  completed_at: Date | null
  error: string | null
  stopped_at: Date | null
}

export const SEGMENT_COLUMNS = `s.*, coalesce(h.hit_count, 0) AS hit_count
  FROM platform.segments s LEFT JOIN platform.hits h ON h.segment_id = s.id`

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
export const toSegmentFields = (row: SegmentRow) => ({
  id: row.id,
  position: row.position,
  document_id: row.document_id,
  content: row.content,
  answer: row.answer,
  word_count: row.word_count,
  tokens: row.tokens,
  keywords: row.keywords,
  index_node_id: row.index_node_id,
  index_node_hash: row.index_node_hash,
  hit_count: row.hit_count,
  enabled: row.enabled,
  disabled_at: toTimestamp(row.disabled_at),
  disabled_by: row.disabled_by,
  status: row.status,
  created_by: row.created_by,
  created_at: toTimestamp(row.created_at),
  indexing_at: toTimestamp(row.indexing_at),
  completed_at: toTimestamp(row.completed_at),
  error: row.error,
  stopped_at: toTimestamp(row.stopped_at),
})

/** Segment record of the operations on segments, with upstream's additional fields. */
export const toSegment = (row: SegmentRow, children: readonly ChildChunkRow[] = []) => ({
  ...toSegmentFields(row),
  sign_content: row.content,
  updated_at: toTimestamp(row.updated_at),
  updated_by: row.updated_at > row.created_at ? row.created_by : null,
  child_chunks: children.map(toChildChunk),
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
    'SELECT * FROM platform.child_chunks WHERE segment_id = ANY($1::uuid[]) ORDER BY position, id',
    [rows.map(({ id }) => id)],
  )
  const bySegment = Map.groupBy(children.rows, ({ segment_id }) => segment_id)
  return rows.map((row) => toSegment(row, bySegment.get(row.id)))
}

export interface ChildChunkRow {
  id: string
  segment_id: string
  position: number
  content: string
  type: string
  word_count: number
  tokens: number
  index_node_id: string
  index_node_hash: string
  status: string
  created_by: string
  created_at: Date
  updated_at: Date
  indexing_at: Date
  completed_at: Date | null
  error: string | null
  stopped_at: Date | null
}

/** Child chunk record in the interface's format, with upstream's `position`, `type` and `updated_at`. */
export const toChildChunk = (row: ChildChunkRow) => ({
  id: row.id,
  segment_id: row.segment_id,
  content: row.content,
  position: row.position,
  type: row.type,
  word_count: row.word_count,
  tokens: row.tokens,
  index_node_id: row.index_node_id,
  index_node_hash: row.index_node_hash,
  status: row.status,
  created_by: row.created_by,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  indexing_at: toTimestamp(row.indexing_at),
  completed_at: toTimestamp(row.completed_at),
  error: row.error,
  stopped_at: toTimestamp(row.stopped_at),
})

/** A time in the interface's format: whole seconds, or null. */
export const toTimestamp = (date: Date | null): number | null => date && toUnixSeconds(date.getTime())
