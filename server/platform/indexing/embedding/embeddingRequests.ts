import { ModelError, type Model } from '../../model/model.ts'
import { normalizeVector } from '../../retrieval/vectorSearch.ts'

/** The embedding model refused, or returned an invalid reply. */
export class EmbeddingError extends Error {
  /** True if the model refused only this text, and may accept others. */
  readonly isOfText: boolean
  constructor(message: string, { isOfText = false, cause }: { isOfText?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isOfText = isOfText
  }
}

/** The smallest default limit among common servers: that of Text Embeddings Inference. */
const MAX_TEXTS_PER_REQUEST = 32
/** Bad Request, Content Too Large, Unprocessable Content: a text is too long, or a request has too many texts. */
const REFUSALS = new Set<unknown>([400, 413, 422])

/**
 * Unit vectors of texts, in order, two requests at a time. A request refused for its content is divided, so that only
 * the refused text fails.
 * @throws the signal's reason when it is aborted
 */
export async function requestVectors(
  embed: NonNullable<Model['embed']>,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(number[] | EmbeddingError)[]> {
  const results: (number[] | EmbeddingError)[] = []
  for (let from = 0; from < texts.length; from += MAX_TEXTS_PER_REQUEST * 2) {
    const middle = from + MAX_TEXTS_PER_REQUEST
    const batches = [texts.slice(from, middle), texts.slice(middle, middle + MAX_TEXTS_PER_REQUEST)]
    const vectors = await Promise.all(batches.map((batch) => requestBatch(embed, batch, signal)))
    results.push(...vectors.flat())
  }
  return results
}

async function requestBatch(
  embed: NonNullable<Model['embed']>,
  texts: string[],
  signal: AbortSignal,
): Promise<(number[] | EmbeddingError)[]> {
  if (texts.length === 0) return []
  try {
    return toUnitVectors(await embed(texts, signal), texts.length)
  } catch (error) {
    signal.throwIfAborted()
    const isRefusal = error instanceof ModelError && REFUSALS.has(error.status)
    if (isRefusal && texts.length > 1) {
      const middle = Math.ceil(texts.length / 2)
      const first = await requestBatch(embed, texts.slice(0, middle), signal)
      return [...first, ...(await requestBatch(embed, texts.slice(middle), signal))]
    }
    const message = error instanceof Error ? error.message : String(error)
    return texts.map(() => new EmbeddingError(message, { isOfText: isRefusal, cause: error }))
  }
}

/** @throws EmbeddingError */
function toUnitVectors(vectors: number[][], count: number): number[][] {
  const length = vectors[0]?.length ?? 0
  if (length === 0 || vectors.length !== count || vectors.some((vector) => vector.length !== length))
    throw new EmbeddingError('The embedding model did not return one vector of equal length for each text.')
  return vectors.map(normalizeVector)
}
