import type { PlatformContext } from '../context.ts'
import { unit, type Vectors } from '../retrieval/vectors.ts'
import { storeVectors, type Unit } from './store.ts'

/** The embedding model refused, or gave what is no answer. */
export class EmbeddingFailure extends Error {}

export interface Embedding {
  context: PlatformContext
  vectors: Vectors
  stopped: AbortSignal
}

/**
 * Gives passages their vectors; nothing happens without an embedding model.
 * @throws EmbeddingFailure with the model's own words.
 */
export async function embedUnits({ context, vectors, stopped }: Embedding, dataset_id: string, units: readonly Unit[]) {
  const { model, database } = context
  if (!model?.embed || !model.embedding_name || units.length === 0) return
  const texts = units.map(({ text }) => text)
  const found = await model.embed(texts, stopped).catch((error: unknown) => {
    stopped.throwIfAborted()
    throw new EmbeddingFailure(error instanceof Error ? error.message : String(error), { cause: error })
  })
  const [first] = found
  if (!first || found.length !== units.length || found.some(({ length }) => length !== first.length))
    throw new EmbeddingFailure('The embedding model gave other vectors than one of equal length for each text.')
  await vectors.prepare(first.length)
  const rows = units.map(({ id }, index) => ({ id, vector: unit(found[index] ?? []) }))
  await storeVectors(database.pool, rows, { dataset_id, model: model.embedding_name })
}

const BATCH = 50

/**
 * Gives vectors to a few passages that have none of the present model: a dataset was changed to high quality, a segment
 * was edited, or the model is another one. Gives whether there may be more.
 */
export async function embedPending(embedding: Embedding): Promise<boolean> {
  const { pool } = embedding.context.database
  const { model } = embedding.context
  if (!model?.embed || !model.embedding_name) return false
  const { rows: datasets } = await pool.query<{ id: string; changed: number }>(
    `SELECT id, changed FROM platform.datasets
      WHERE embedding_pending AND indexing_technique = 'high_quality' AND removed_at IS NULL LIMIT 1`,
  )
  const [dataset] = datasets
  if (!dataset) return false
  const { rows: units } = await pool.query<Unit>(
    `SELECT p.id, coalesce(c.content, concat_ws(E'\\n', s.content, s.answer)) AS text
       FROM (SELECT id, segment_id, child_chunk_id FROM platform.passages p
              WHERE p.dataset_id = $1
                AND NOT EXISTS (SELECT 1 FROM platform.embeddings e WHERE e.passage_id = p.id AND e.model = $2)
              LIMIT ${BATCH}) p
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id`,
    [dataset.id, model.embedding_name],
  )
  if (units.length > 0) await embedUnits(embedding, dataset.id, units)
  else
    await pool.query('UPDATE platform.datasets SET embedding_pending = false WHERE id = $1 AND changed = $2', [
      dataset.id,
      dataset.changed,
    ])
  return true
}
