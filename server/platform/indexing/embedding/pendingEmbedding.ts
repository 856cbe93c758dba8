import type { Pool } from 'pg'
import { EmbeddingError } from './embeddingRequests.ts'
import { FIRST_ID, HAS_SEGMENT_SQL, PASSAGE_TEXT_SQL } from '../segmentStore.ts'
import type { EmbeddingInput, PassageEmbedder } from './passageEmbedding.ts'
import { storeVectors, type PassageVector } from './vectorStore.ts'

const MAX_PASSAGES_PER_CALL = 64

/**
 * Embeds passages without a vector of the current model, a few per call: after a change to high quality, an edit of a
 * segment, or a change of the model. Each call returns whether there may be more. A text that the model refuses has
 * no vector until the next start.
 */
export function createPendingEmbedding(
  pool: Pool,
  embedder: PassageEmbedder | null,
): (signal: AbortSignal) => Promise<boolean> {
  if (!embedder) return () => Promise.resolve(false)
  let current: { id: string; changed: number; after: string } | null = null
  return async (signal) => {
    const { rows } = await pool.query<{ id: string; changed: number }>(
      `SELECT id, changed FROM platform.datasets
        WHERE embedding_pending AND indexing_technique = 'high_quality' AND removed_at IS NULL ORDER BY id LIMIT 1`,
    )
    const [dataset] = rows
    if (!dataset) return false
    if (current?.id !== dataset.id) current = { ...dataset, after: FIRST_ID }
    const { id, changed, after } = current
    const { rows: passages } = await pool.query<EmbeddingInput>(UNEMBEDDED_SQL, [id, embedder.model, after])
    const last = passages.at(-1)
    if (!last) {
      current = null
      await pool.query('UPDATE platform.datasets SET embedding_pending = false WHERE id = $1 AND changed = $2', [
        id,
        changed,
      ])
      return true
    }
    const vectors: PassageVector[] = []
    for (const result of (await embedder.embed(passages, signal)).values()) {
      if (!(result instanceof EmbeddingError)) vectors.push(result)
      else if (!result.isOfText) throw result
    }
    await storeVectors(pool, vectors, embedder.model)
    current.after = last.id
    return true
  }
}

/** Documents that are being indexed get their vectors there. */
const UNEMBEDDED_SQL = `SELECT p.id, p.dataset_id, ${PASSAGE_TEXT_SQL} AS text
       FROM (SELECT id, dataset_id, segment_id, child_chunk_id FROM platform.passages p
              WHERE p.dataset_id = $1 AND p.id > $3
                AND NOT EXISTS (SELECT 1 FROM platform.embeddings e WHERE e.passage_id = p.id AND e.model = $2)
                AND ${HAS_SEGMENT_SQL}
              ORDER BY p.id LIMIT ${MAX_PASSAGES_PER_CALL}) p
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id
      ORDER BY p.id`
