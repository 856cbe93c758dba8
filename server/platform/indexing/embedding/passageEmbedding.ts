import type { PlatformContext } from '../../platformContext.ts'
import type { VectorSearch } from '../../retrieval/vectorSearch.ts'
import type { EmbeddingUnit } from '../segmentStore.ts'
import { EmbeddingError, requestVectors } from './embeddingRequests.ts'
import { findPassagesByText, findUnhashedPassages, hashText, type PassageVector } from './vectorStore.ts'

export interface EmbedOptions {
  signal: AbortSignal
  /** More passages whose vectors can be copied: what `findUnhashed` found. */
  former?: ReadonlyMap<string, string> | undefined
}

/** Embeds passages of any number of documents, each text once. */
export interface PassageEmbedder {
  /** The name of the embedding model. */
  model: string
  /**
   * The vector of each unit, by its id. A text that has a vector already, or is being embedded, is not sent again.
   * @throws database errors; the signal's reason when it is aborted.
   */
  embed: (
    units: readonly EmbeddingUnit[],
    options: EmbedOptions,
  ) => Promise<Map<string, PassageVector | EmbeddingError>>
  /**
   * Finds vectors of documents that are indexed again, from before texts were hashed, as `{hash: passage id}`. To be
   * called before their segments are deleted.
   */
  findUnhashed: (document_ids: readonly string[]) => Promise<Map<string, string>>
}

/** Texts whose vectors are in memory: those that are being embedded, or are not stored yet. */
const MAX_REMEMBERED_TEXTS = 256

/** Null without an embedding model. */
export function createPassageEmbedder(
  { database, model }: Pick<PlatformContext, 'database' | 'model'>,
  vectors: VectorSearch,
): PassageEmbedder | null {
  if (!model?.embed || !model.embedding_name) return null
  const { embed, embedding_name } = model
  const remembered = new Map<string, Promise<number[] | EmbeddingError>>()

  const requestMissing = (texts: ReadonlyMap<string, string>, signal: AbortSignal): void => {
    if (texts.size === 0) return
    const request = requestVectors(embed, [...texts.values()], signal)
    for (const [index, hash] of [...texts.keys()].entries()) {
      const result = request.then((results) => results[index] ?? new EmbeddingError('The text got no vector.'))
      remembered.set(hash, result)
      const forget = () => remembered.get(hash) === result && remembered.delete(hash)
      result.then((vector) => vector instanceof EmbeddingError && forget(), forget)
    }
  }

  const forgetOldest = (): void => {
    for (const hash of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED_TEXTS) return
      remembered.delete(hash)
    }
  }

  return {
    model: embedding_name,
    findUnhashed: (document_ids) => findUnhashedPassages(database.pool, embedding_name, document_ids),
    async embed(units, { signal, former = new Map() }) {
      const hashes = new Map(units.map(({ id, text }) => [id, hashText(text)]))
      const stored = new Map([
        ...former,
        ...(await findPassagesByText(database.pool, embedding_name, [...new Set(hashes.values())])),
      ])
      const missing = new Map<string, string>()
      for (const { id, text } of units) {
        const hash = hashes.get(id) ?? ''
        if (!stored.has(hash) && !remembered.has(hash)) missing.set(hash, text)
      }
      requestMissing(missing, signal)
      const pending = new Map([...hashes.values()].map((hash) => [hash, remembered.get(hash)]))
      forgetOldest()
      const results = new Map<string, PassageVector | EmbeddingError>()
      for (const { id, dataset_id } of units) {
        const text_hash = hashes.get(id) ?? ''
        const copy_of = stored.get(text_hash)
        const vector = copy_of ? null : await pending.get(text_hash)
        if (vector instanceof EmbeddingError) results.set(id, vector)
        else if (vector) {
          // Outside of the transaction that stores the vectors: the embedded database has one connection.
          await vectors.ensureIndex(vector.length)
          results.set(id, { passage_id: id, dataset_id, text_hash, vector })
        } else if (copy_of) results.set(id, { passage_id: id, dataset_id, text_hash, copy_of })
      }
      return results
    },
  }
}
