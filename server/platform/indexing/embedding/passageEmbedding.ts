import type { PlatformContext } from '../../platformContext.ts'
import type { VectorSearch } from '../../retrieval/vectorSearch.ts'
import type { PassageRow } from '../segmentStore.ts'
import { EmbeddingError, requestVectors } from './embeddingRequests.ts'
import { findPassagesByText, hashText, type PassageVector } from './vectorStore.ts'

/** The text of a passage, to embed. */
export type EmbeddingInput = Pick<PassageRow, 'id' | 'dataset_id' | 'text'>

/** Embeds passages of any documents, each text once. */
export interface PassageEmbedder {
  model: string
  /**
   * The vector of each passage, by id. A text that has a vector already, or is being embedded, is not sent again.
   * @throws database errors; the signal's reason when it is aborted
   */
  embed: (
    passages: readonly EmbeddingInput[],
    signal: AbortSignal,
  ) => Promise<Map<string, PassageVector | EmbeddingError>>
}

/** Texts whose vectors are in memory: they are being embedded or not stored yet. */
const MAX_REMEMBERED_TEXTS = 256

/** Null without an embedding model. */
export function createPassageEmbedder(
  { database, model }: Pick<PlatformContext, 'database' | 'model'>,
  vectors: VectorSearch,
): PassageEmbedder | null {
  if (!model?.embed || !model.embedding_name) return null
  const { embed, embedding_name } = model
  const remembered = new Map<string, Promise<number[] | EmbeddingError>>()

  return {
    model: embedding_name,
    async embed(passages, signal) {
      const texts = new Map(passages.map(({ text }) => [hashText(text), text]))
      const stored = await findPassagesByText(database.pool, embedding_name, [...texts.keys()])
      const missing = [...texts].filter(([hash]) => !stored.has(hash) && !remembered.has(hash))
      const request = requestVectors(
        embed,
        missing.map(([, text]) => text),
        signal,
      )
      for (const [index, [hash]] of missing.entries()) {
        const result = request.then(
          (results) => results[index] ?? new EmbeddingError('The embedding model returned no vector for the text.'),
        )
        remembered.set(hash, result)
        const forget = () => remembered.delete(hash)
        result.then((vector) => vector instanceof EmbeddingError && forget(), forget)
      }
      const pending = new Map([...texts.keys()].map((hash) => [hash, remembered.get(hash)]))
      for (const hash of remembered.keys()) if (remembered.size > MAX_REMEMBERED_TEXTS) remembered.delete(hash)
      const results = new Map<string, PassageVector | EmbeddingError>()
      for (const { id: passage_id, dataset_id, text } of passages) {
        const text_hash = hashText(text)
        const copy_of = stored.get(text_hash)
        const vector = copy_of ? undefined : await pending.get(text_hash)
        // Outside of the transaction that stores the vectors: the embedded database has one connection.
        if (Array.isArray(vector)) await vectors.ensureIndex(vector.length)
        results.set(
          passage_id,
          vector instanceof EmbeddingError ? vector : { passage_id, dataset_id, text_hash, vector, copy_of },
        )
      }
      return results
    },
  }
}
