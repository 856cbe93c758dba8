import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { PASSAGE_TEXT_SQL } from '../segmentStore.ts'

/** The vector of a passage: a new one, or that of another passage with the same text, by its id. */
export interface PassageVector {
  passage_id: string
  dataset_id: string
  text_hash: string
  vector?: number[] | undefined
  copy_of?: string | undefined
}

/** 128 bits of the SHA-256 of a text, written as an id. The same as `TEXT_HASH_SQL`. */
export const hashText = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const TEXT_HASH_SQL = `left(encode(sha256(convert_to(${PASSAGE_TEXT_SQL}, 'UTF8')), 'hex'), 32)::uuid`

/** One passage per text hash that has a vector of the model: `{hash: passage id}`. */
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

/** Vectors per statement: with pgvector's index each takes a millisecond or two, which blocks other queries. */
const MAX_VECTORS_PER_STATEMENT = 25

const PASSAGE_SOURCE_SQL = `JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id`

/**
 * Hashes the texts of vectors that were stored before texts were hashed. Called before the segments of their
 * documents are deleted.
 */
export async function hashStoredTexts(pool: Pool, document_ids: readonly string[]): Promise<void> {
  const hashNext = () =>
    pool.query(
      `UPDATE platform.embeddings e SET text_hash = former.text_hash
         FROM (SELECT e.passage_id, ${TEXT_HASH_SQL} AS text_hash
                 FROM platform.passages p
                 JOIN platform.embeddings e ON e.passage_id = p.id AND e.text_hash IS NULL
                 ${PASSAGE_SOURCE_SQL}
                WHERE p.document_id = ANY($1::uuid[]) LIMIT ${MAX_VECTORS_PER_STATEMENT}) former
        WHERE e.passage_id = former.passage_id`,
      [document_ids],
    )
  while ((await hashNext()).rowCount);
}

/**
 * Stores the vectors of passages that still exist with the embedded text: an edit keeps the id of a passage. If a
 * passage, or the one that its vector is copied from, was deleted or edited meanwhile, the dataset is marked, so that
 * the vector is requested later.
 */
export async function storeVectors(
  client: Pool | PoolClient,
  vectors: readonly PassageVector[],
  model: string,
): Promise<void> {
  for (let from = 0; from < vectors.length; from += MAX_VECTORS_PER_STATEMENT) {
    const batch = vectors.slice(from, from + MAX_VECTORS_PER_STATEMENT)
    // The lock waits for an edit that deletes and inserts one of the passages.
    const { rowCount } = await client.query(
      `INSERT INTO platform.embeddings (passage_id, dataset_id, text_hash, vector, model)
       SELECT row.passage_id, row.dataset_id, row.text_hash, coalesce(row.vector, e.vector), $2
         FROM json_to_recordset($1::json) AS row (passage_id uuid, dataset_id uuid, text_hash uuid, vector real[],
              copy_of uuid)
         LEFT JOIN platform.embeddings e
              ON e.passage_id = row.copy_of AND e.model = $2 AND e.text_hash = row.text_hash
         JOIN platform.passages p ON p.id = row.passage_id
         ${PASSAGE_SOURCE_SQL}
        WHERE coalesce(row.vector, e.vector) IS NOT NULL AND ${TEXT_HASH_SQL} = row.text_hash
          FOR KEY SHARE OF p
       ON CONFLICT (passage_id) DO UPDATE
         SET model = excluded.model, vector = excluded.vector, text_hash = excluded.text_hash`,
      [JSON.stringify(batch), model],
    )
    if (rowCount === batch.length) continue
    await client.query('UPDATE platform.datasets SET embedding_pending = true WHERE id = ANY($1::uuid[])', [
      [...new Set(batch.map(({ dataset_id }) => dataset_id))],
    ])
  }
}
