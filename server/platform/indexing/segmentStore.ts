import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { OWNER_ID } from '../platformContext.ts'
import { TERMS_VERSION } from '../retrieval/termVector.ts'
import { toSqlArray } from '../retrieval/vectorSearch.ts'
import type { NewChunk, NewSegment } from './chunkDocument.ts'

export interface SegmentPosition {
  dataset_id: string
  document_id: string
  /** Position of the first segment. */
  position: number
  /** Start of the document's indexing, and the current time. */
  began: Date
  now: Date
}

/** Input of the embedding: the text of a passage under its id. */
export interface EmbeddingUnit {
  id: string
  text: string
}
export interface StoredSegments {
  /** Ids of the segments, in their order. */
  ids: string[]
  units: EmbeddingUnit[]
}

/** Inserts segments, their children and their passages. */
export async function storeSegments(
  client: PoolClient,
  newSegments: readonly NewSegment[],
  segmentPosition: SegmentPosition,
): Promise<StoredSegments> {
  const segments = newSegments.map((segment, index) => ({
    ...assignIds(segment),
    position: segmentPosition.position + index,
  }))
  await client.query(
    `INSERT INTO platform.segments (id, document_id, position, content, answer, keywords, word_count, tokens,
            index_node_id, index_node_hash, status, created_by, created_at, updated_at, indexing_at, completed_at)
     SELECT id, $2, position, content, answer, keywords, word_count, tokens,
            index_node_id, index_node_hash, 'completed', $3, $5, $5, $4, $5
       FROM json_to_recordset($1::json) AS row (id uuid, position int4, content text, answer text, keywords text[],
            word_count int4, tokens int4, index_node_id uuid, index_node_hash text)`,
    [
      JSON.stringify(segments, omitKeys('termVector', 'children')),
      segmentPosition.document_id,
      OWNER_ID,
      segmentPosition.began,
      segmentPosition.now,
    ],
  )
  const children = segments.flatMap(({ id: segment_id, children }) =>
    children.map((child, index) => ({ ...assignIds(child), segment_id, position: index + 1, type: 'automatic' })),
  )
  await storeChildren(client, children, segmentPosition)
  const segmentPassages = segments.flatMap((segment) => toPassageRows(segment, segment.id, null))
  const childPassages = children.flatMap((child) => toPassageRows(child, child.segment_id, child.id))
  await storePassages(client, [...segmentPassages, ...childPassages], segmentPosition)
  const segmentUnits = segments.flatMap((segment) =>
    segment.termVector
      ? [{ id: segment.index_node_id, text: [segment.content, segment.answer ?? ''].join('\n').trim() }]
      : [],
  )
  const childUnits = children.map((child) => ({ id: child.index_node_id, text: child.content }))
  return { ids: segments.map(({ id }) => id), units: [...segmentUnits, ...childUnits] }
}

export interface NewChildChunk extends NewChunk {
  id: string
  index_node_id: string
  segment_id: string
  position: number
  type: string
}

export async function storeChildren(
  client: PoolClient,
  children: readonly NewChildChunk[],
  { began, now }: Pick<SegmentPosition, 'began' | 'now'>,
): Promise<void> {
  if (children.length === 0) return
  await client.query(
    `INSERT INTO platform.child_chunks (id, segment_id, position, content, type, word_count, tokens, index_node_id,
            index_node_hash, status, created_by, created_at, updated_at, indexing_at, completed_at)
     SELECT id, segment_id, position, content, type, word_count, tokens, index_node_id,
            index_node_hash, 'completed', $2, $4, $4, $3, $4
       FROM json_to_recordset($1::json) AS row (id uuid, segment_id uuid, position int4, content text, type text,
            word_count int4, tokens int4, index_node_id uuid, index_node_hash text)`,
    [JSON.stringify(children, omitKeys('termVector')), OWNER_ID, began, now],
  )
}

export interface PassageRow {
  id: string
  segment_id: string
  child_chunk_id: string | null
  terms: number[]
  length: number
}

/** The passage of a chunk; none for a parent, which is found by its children. */
export const toPassageRows = (
  chunk: { termVector: NewChunk['termVector']; index_node_id: string },
  segment_id: string,
  child_chunk_id: string | null,
): PassageRow[] =>
  chunk.termVector ? [{ id: chunk.index_node_id, segment_id, child_chunk_id, ...chunk.termVector }] : []

export async function storePassages(
  client: PoolClient,
  passages: readonly PassageRow[],
  { dataset_id, document_id }: Pick<SegmentPosition, 'dataset_id' | 'document_id'>,
): Promise<void> {
  if (passages.length === 0) return
  await client.query(
    `INSERT INTO platform.passages (id, dataset_id, document_id, segment_id, child_chunk_id, terms, length, terms_version)
     SELECT id, $2, $3, segment_id, child_chunk_id, terms, length, $4
       FROM json_to_recordset($1::json)
         AS row (id uuid, segment_id uuid, child_chunk_id uuid, terms int4[], length int4)`,
    [JSON.stringify(passages), dataset_id, document_id, TERMS_VERSION],
  )
}

/** Vectors per statement: with pgvector's index each takes a millisecond or two, which blocks other queries. */
const MAX_VECTORS_PER_STATEMENT = 25

export async function storeVectors(
  pool: Pool | PoolClient,
  vectors: readonly { id: string; vector: number[] }[],
  { dataset_id, model }: { dataset_id: string; model: string },
): Promise<void> {
  for (let from = 0; from < vectors.length; from += MAX_VECTORS_PER_STATEMENT) {
    const batch = vectors.slice(from, from + MAX_VECTORS_PER_STATEMENT)
    await pool.query(
      `INSERT INTO platform.embeddings (passage_id, dataset_id, model, vector)
       SELECT passage_id, $1, $2, vector::real[] FROM unnest($3::uuid[], $4::text[]) AS row (passage_id, vector)
        WHERE EXISTS (SELECT 1 FROM platform.passages WHERE id = passage_id)
       ON CONFLICT (passage_id) DO UPDATE SET model = excluded.model, vector = excluded.vector`,
      [dataset_id, model, batch.map(({ id }) => id), batch.map(({ vector }) => toSqlArray(vector))],
    )
  }
}

export const assignIds = <Made extends object>(made: Made) => ({
  ...made,
  id: randomUUID() as string,
  index_node_id: randomUUID() as string,
})

const omitKeys =
  (...names: string[]) =>
  (name: string, value: unknown): unknown =>
    names.includes(name) ? undefined : value
