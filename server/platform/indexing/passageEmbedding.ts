import type { PlatformContext } from '../platformContext.ts'
import { normalizeVector, type VectorSearch } from '../retrieval/vectorSearch.ts'
import { storeVectors, type EmbeddingUnit } from './segmentStore.ts'

/** The embedding model refused, or returned an invalid reply. */
export class EmbeddingError extends Error {}

export interface EmbeddingDeps {
  context: PlatformContext
  vectors: VectorSearch
  stopSignal: AbortSignal
}

/**
 * Embeds passages; does nothing without an embedding model.
 * @throws EmbeddingFailure with the model's own message.
 */
export async function embedPassages(
  { context, vectors, stopSignal }: EmbeddingDeps,
  dataset_id: string,
  units: readonly EmbeddingUnit[],
) {
  const { model, database } = context
  if (!model?.embed || !model.embedding_name || units.length === 0) return
  const texts = units.map(({ text }) => text)
  const embeddings = await model.embed(texts, stopSignal).catch((error: unknown) => {
    stopSignal.throwIfAborted()
    throw new EmbeddingError(error instanceof Error ? error.message : String(error), { cause: error })
  })
  const [first] = embeddings
  if (!first || embeddings.length !== units.length || embeddings.some(({ length }) => length !== first.length))
    throw new EmbeddingError('The embedding model gave other vectors than one of equal length for each text.')
  await vectors.ensureIndex(first.length)
  const rows = units.map(({ id }, index) => ({ id, vector: normalizeVector(embeddings[index] ?? []) }))
  await storeVectors(database.pool, rows, { dataset_id, model: model.embedding_name })
}

const MAX_PASSAGES_PER_CALL = 50

/**
 * Embeds a few passages without a vector of the current model: a dataset was changed to high quality, a segment was
 * edited, or the model has changed. Returns whether there may be more.
 */
export async function embedPending(embedding: EmbeddingDeps): Promise<boolean> {
  const { pool } = embedding.context.database
  const { model } = embedding.context
  if (!model?.embed || !model.embedding_name) return false
  const { rows: datasets } = await pool.query<{ id: string; changed: number }>(
    `SELECT id, changed FROM platform.datasets
      WHERE embedding_pending AND indexing_technique = 'high_quality' AND removed_at IS NULL LIMIT 1`,
  )
  const [dataset] = datasets
  if (!dataset) return false
  const { rows: units } = await pool.query<EmbeddingUnit>(
    `SELECT p.id, coalesce(c.content, concat_ws(E'\\n', s.content, s.answer)) AS text
       FROM (SELECT id, segment_id, child_chunk_id FROM platform.passages p
              WHERE p.dataset_id = $1
                AND NOT EXISTS (SELECT 1 FROM platform.embeddings e WHERE e.passage_id = p.id AND e.model = $2)
              LIMIT ${MAX_PASSAGES_PER_CALL}) p
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id`,
    [dataset.id, model.embedding_name],
  )
  if (units.length > 0) await embedPassages(embedding, dataset.id, units)
  else
    await pool.query('UPDATE platform.datasets SET embedding_pending = false WHERE id = $1 AND changed = $2', [
      dataset.id,
      dataset.changed,
    ])
  return true
}
