import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { OWNER_ID } from '../platformContext.ts'
import { TERMS_VERSION } from '../retrieval/termsVersion.ts'
import type { NewChunk, NewSegment } from './chunkDocument.ts'
import type { passages } from '../schema.ts'

/** New segments of one document. */
export interface DocumentSegments {
  dataset_id: string
  document_id: string
  position: number
  began: Date
  segments: readonly NewSegment[]
}

export interface SegmentRows {
  segments: SegmentRow[]
  children: NewChildChunk[]
  passages: PassageRow[]
}

interface ChunkPlace {
  id: string
  index_node_id: string
  position: number
  indexing_at: Date
}
type SegmentRow = NewSegment & ChunkPlace & { document_id: string }
export type NewChildChunk = NewChunk & ChunkPlace & { segment_id: string; type: string }

/**
 * Maximum terms of the passages stored in one transaction, which blocks others on the embedded database. Larger
 * groups make indexing of long segments faster but block requests for longer.
 */
export const MAX_TERMS_PER_TRANSACTION = 4_000

export const countTerms = ({ passages }: SegmentRows): number =>
  passages.reduce((sum, { terms }) => sum + terms.length, 0)

export function toSegmentRows({ dataset_id, document_id, position, began, segments }: DocumentSegments): SegmentRows {
  const rows: SegmentRows = { segments: [], children: [], passages: [] }
  for (const [index, newSegment] of segments.entries()) {
    const segment = { ...assignIds(newSegment), document_id, position: position + index, indexing_at: began }
    const children = toChildRows(newSegment, segment.id, began)
    const owner = { dataset_id, document_id, segment_id: segment.id }
    rows.segments.push(segment)
    rows.children.push(...children)
    rows.passages.push(
      ...toPassageRows(segment, owner),
      ...children.flatMap((child) => toPassageRows(child, owner, child.id)),
    )
  }
  return rows
}

export const toChildRows = ({ children }: NewSegment, segment_id: string, began: Date): NewChildChunk[] =>
  children.map((child, index) => ({
    ...assignIds(child),
    segment_id,
    position: index + 1,
    type: 'automatic',
    indexing_at: began,
  }))

/**
 * Condition for a passage `p`. A document whose indexing failed keeps passages without segments, for their vectors;
 * no search finds them.
 */
export const HAS_SEGMENT_SQL = 'EXISTS (SELECT 1 FROM platform.segments s WHERE s.id = p.segment_id)'

/** The text of a passage, as SQL over its segment `s` and its child chunk `c`, which may be null. */
export const PASSAGE_TEXT_SQL = `coalesce(c.content, concat_ws(E'\\n', s.content, nullif(s.answer, '')))`

/** One statement per table, whatever the number of documents. */
export async function storeSegmentRows(client: PoolClient, rows: readonly SegmentRows[], now: Date): Promise<void> {
  const segments = rows.flatMap((some) => some.segments)
  if (segments.length === 0) return
  await client.query(
    `INSERT INTO platform.segments (id, document_id, position, content, answer, keywords, word_count, tokens,
            index_node_id, index_node_hash, status, created_by, created_at, updated_at, indexing_at, completed_at)
     SELECT id, document_id, position, content, answer, keywords, word_count, tokens,
            index_node_id, index_node_hash, 'completed', $2, $3, $3, indexing_at, $3
       FROM json_populate_recordset(NULL::platform.segments, $1::json)`,
    [JSON.stringify(segments, omitUnstored), OWNER_ID, now],
  )
  const children = rows.flatMap((some) => some.children)
  const passages = rows.flatMap((some) => some.passages)
  await storeChildren(client, children, now)
  await storePassages(client, passages)
}

export async function storeChildren(client: PoolClient, children: readonly NewChildChunk[], now: Date): Promise<void> {
  if (children.length === 0) return
  await client.query(
    `INSERT INTO platform.child_chunks (id, segment_id, position, content, type, word_count, tokens, index_node_id,
            index_node_hash, status, created_by, created_at, updated_at, indexing_at, completed_at)
     SELECT id, segment_id, position, content, type, word_count, tokens, index_node_id,
            index_node_hash, 'completed', $2, $3, $3, indexing_at, $3
       FROM json_populate_recordset(NULL::platform.child_chunks, $1::json)`,
    [JSON.stringify(children, omitUnstored), OWNER_ID, now],
  )
}

export type PassageRow = Omit<typeof passages.$inferSelect, 'terms_version'> & {
  /** The text to embed. */
  text: string
}

/** The passage of a chunk; none for a parent, which is found by its children. */
export const toPassageRows = (
  chunk: Pick<NewChunk, 'termVector' | 'content'> & { index_node_id: string; answer?: string | null },
  owner: Pick<PassageRow, 'dataset_id' | 'document_id' | 'segment_id'>,
  child_chunk_id: string | null = null,
): PassageRow[] =>
  chunk.termVector
    ? [{ id: chunk.index_node_id, ...owner, child_chunk_id, ...chunk.termVector, text: toPassageText(chunk) }]
    : []

export async function storePassages(client: PoolClient, passages: readonly PassageRow[]): Promise<void> {
  if (passages.length === 0) return
  await client.query(
    `INSERT INTO platform.passages (id, dataset_id, document_id, segment_id, child_chunk_id, terms, length, terms_version)
     SELECT id, dataset_id, document_id, segment_id, child_chunk_id, terms, length, $2
       FROM json_populate_recordset(NULL::platform.passages, $1::json)`,
    [JSON.stringify(passages, omitUnstored), TERMS_VERSION],
  )
}

export const assignIds = <Made extends object>(made: Made) => ({
  ...made,
  id: randomUUID() as string,
  index_node_id: randomUUID() as string,
})

const omitUnstored = (name: string, value: unknown): unknown =>
  ['termVector', 'children', 'text'].includes(name) ? undefined : value

/** Lower than every random id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
