import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { PASSAGE_TEXT_SQL } from '../segmentStore.ts'

/** The vector of a passage: a new one, or that of another passage with the same text. */
export type PassageVector = { passage_id: string; dataset_id: string; text_hash: string } & (
  | { vector: number[] }
  | { copy_of: string }
)

/** 128 bits of the SHA-256 of a text, written as an id. The same as `TEXT_HASH_SQL`. */
export const hashText = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const TEXT_HASH_SQL = `left(encode(sha256(convert_to(${PASSAGE_TEXT_SQL}, 'UTF8')), 'hex'), 32)::uuid`

/** The passages that have a vector of the model for texts with these hashes, one for each: `{hash: passage id}`. */
export async function findPassagesByText(
  pool: Pool,
  model: string,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ text_hash: string; passage_id: string }>(
    `SELECT DISTINCT ON (text_hash) text_hash, passage_id FROM platform.embeddings
      WHERE text_hash = ANY($1::uuid[]) AND model = $2`,
    [hashes, model],
  )
  return new Map(rows.map(({ text_hash, passage_id }) => [text_hash, passage_id]))
}

/**
 * The same of the vectors of documents that were stored before texts were hashed. Their segments must not be deleted
 * yet.
 */
export async function findUnhashedPassages(
  pool: Pool,
  model: string,
  document_ids: readonly string[],
): Promise<Map<string, string>> {
  if (document_ids.length === 0) return new Map()
  const { rows } = await pool.query<{ text_hash: string; passage_id: string }>(
    `SELECT ${TEXT_HASH_SQL} AS text_hash, e.passage_id
       FROM platform.passages p
       JOIN platform.embeddings e ON e.passage_id = p.id AND e.model = $2 AND e.text_hash IS NULL
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id
      WHERE p.document_id = ANY($1::uuid[])`,
    [document_ids, model],
  )
  return new Map(rows.map(({ text_hash, passage_id }) => [text_hash, passage_id]))
}

/** Vectors per statement: with pgvector's index each takes a millisecond or two, which blocks other queries. */
const MAX_VECTORS_PER_STATEMENT = 25

/**
 * Stores the vectors of passages that still exist and have the text that was embedded: an edit keeps the id of a passage. If the
 * passage of a copy was deleted or edited meanwhile, the dataset is marked, so that a vector is asked for later.
 */
export async function storeVectors(
  client: Pool | PoolClient,
  vectors: readonly PassageVector[],
  model: string,
): Promise<void> {
  for (let from = 0; from < vectors.length; from += MAX_VECTORS_PER_STATEMENT) {
    const batch = vectors.slice(from, from + MAX_VECTORS_PER_STATEMENT)
    await insertVectors(client, batch.filter(isNew), model)
    await copyVectors(client, batch.filter(isCopy), model)
  }
}

const isNew = (row: PassageVector): row is PassageVector & { vector: number[] } => 'vector' in row
const isCopy = (row: PassageVector): row is PassageVector & { copy_of: string } => 'copy_of' in row

const INSERT_SQL = 'INSERT INTO platform.embeddings (passage_id, dataset_id, text_hash, vector, model)'
/** The passages of `row` with the text of its hash. The lock waits for an edit that deletes and inserts one of them. */
const UNCHANGED_PASSAGES_SQL = `JOIN platform.passages p ON p.id = row.passage_id
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id`
const UNCHANGED_SQL = `${TEXT_HASH_SQL} = row.text_hash FOR KEY SHARE OF p`
const ON_CONFLICT_SQL = `ON CONFLICT (passage_id) DO UPDATE
  SET model = excluded.model, vector = excluded.vector, text_hash = excluded.text_hash`

async function insertVectors(
  client: Pool | PoolClient,
  rows: readonly (PassageVector & { vector: number[] })[],
  model: string,
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(
    (_, index) =>
      `($${index * 4 + 2}::uuid, $${index * 4 + 3}::uuid, $${index * 4 + 4}::uuid, $${index * 4 + 5}::real[])`,
  )
  await client.query(
    `${INSERT_SQL}
     SELECT row.passage_id, row.dataset_id, row.text_hash, row.vector, $1
       FROM (VALUES ${values.join(', ')}) AS row (passage_id, dataset_id, text_hash, vector)
       ${UNCHANGED_PASSAGES_SQL}
      WHERE ${UNCHANGED_SQL}
     ${ON_CONFLICT_SQL}`,
    [
      model,
      ...rows.flatMap(({ passage_id, dataset_id, text_hash, vector }) => [
        passage_id,
        dataset_id,
        text_hash,
        toBinaryArray(vector),
      ]),
    ],
  )
}

async function copyVectors(
  client: Pool | PoolClient,
  rows: readonly (PassageVector & { copy_of: string })[],
  model: string,
): Promise<void> {
  if (rows.length === 0) return
  const { rowCount } = await client.query(
    `${INSERT_SQL}
     SELECT row.passage_id, row.dataset_id, row.text_hash, e.vector, $1
       FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) AS row (passage_id, dataset_id, text_hash, copy_of)
       JOIN platform.embeddings e ON e.passage_id = row.copy_of AND e.model = $1
       ${UNCHANGED_PASSAGES_SQL}
      WHERE coalesce(e.text_hash, row.text_hash) = row.text_hash AND ${UNCHANGED_SQL}
     ${ON_CONFLICT_SQL}`,
    [
      model,
      rows.map(({ passage_id }) => passage_id),
      rows.map(({ dataset_id }) => dataset_id),
      rows.map(({ text_hash }) => text_hash),
      rows.map(({ copy_of }) => copy_of),
    ],
  )
  if (rowCount === rows.length) return
  await client.query('UPDATE platform.datasets SET embedding_pending = true WHERE id = ANY($1::uuid[])', [
    [...new Set(rows.map(({ dataset_id }) => dataset_id))],
  ])
}

const FLOAT4_OID = 700
const ARRAY_HEADER_BYTES = 20
const ELEMENT_BYTES = 8

/**
 * A `real[]` in PostgreSQL's binary format, which the driver sends as it is. The embedded database parses the text of a
 * vector of 384 numbers in 0.8 ms, and its bytes in 0.1 ms.
 */
function toBinaryArray(vector: readonly number[]): Buffer {
  const bytes = Buffer.alloc(ARRAY_HEADER_BYTES + vector.length * ELEMENT_BYTES)
  // One dimension, no nulls, the type, the length, and the index of the first element.
  for (const [index, value] of [1, 0, FLOAT4_OID, vector.length, 1].entries()) bytes.writeInt32BE(value, index * 4)
  for (const [index, value] of vector.entries()) {
    const offset = ARRAY_HEADER_BYTES + index * ELEMENT_BYTES
    bytes.writeInt32BE(4, offset)
    bytes.writeFloatBE(value, offset + 4)
  }
  return bytes
}
