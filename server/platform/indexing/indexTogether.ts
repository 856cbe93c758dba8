import { isSmall, type ClaimedDocument } from './documentClaims.ts'
import type { ChunkingStage } from './chunkDocument.ts'
import { deleteFormerPassages, deleteNextSegments } from './deleteSegments.ts'
import {
  completeDocuments,
  getEmbedder,
  markDatasetsChanged,
  requireVectors,
  sumTokens,
  toChunkingJob,
  type IndexedDocument,
  type IndexingDeps,
} from './indexDocument.ts'
import {
  countTerms,
  MAX_TERMS_PER_TRANSACTION,
  storeSegmentRows,
  toSegmentRows,
  type SegmentRows,
} from './segmentStore.ts'
import { toGroups } from './toGroups.ts'
import { hashStoredTexts, storeVectors, type PassageVector } from './embedding/vectorStore.ts'

/** Passages with a vector per transaction: a vector takes several times as long as the rest of its passage. */
const MAX_VECTORS_PER_TRANSACTION = 50

interface ChunkedDocument {
  document: ClaimedDocument
  indexed: IndexedDocument
  rows: SegmentRows
  vectors: PassageVector[]
}

/**
 * Indexes small documents that were claimed together: one step in the worker, and one statement per table. A document
 * is completed with all its rows, or not changed.
 * @returns the documents to index alone: those whose text fails or has many segments
 * @throws Error if something failed for several documents; the signal's reason when the server stops
 */
export async function indexTogether(
  tools: IndexingDeps,
  documents: readonly ClaimedDocument[],
): Promise<ClaimedDocument[]> {
  if (!documents.every(isSmall)) return [...documents]
  const results = await tools.workerPool.chunkAll(documents.map(toChunkingJob))
  const chunked_at = new Date(tools.context.clock())
  const alone: ClaimedDocument[] = []
  const plain: ChunkedDocument[] = []
  const embedded: ChunkedDocument[] = []
  for (const [index, document] of documents.entries()) {
    const chunked = toChunkedDocument(document, results[index] ?? [], chunked_at)
    if (!chunked) alone.push(document)
    else (getEmbedder(tools, document) ? embedded : plain).push(chunked)
  }
  // Those that do not wait for the model come first.
  for (const group of toGroups(plain, ({ rows }) => countTerms(rows), MAX_TERMS_PER_TRANSACTION))
    await storeGroup(tools, group)
  const vectorized = await addVectors(tools, embedded)
  for (const group of toGroups(vectorized, ({ indexed }) => indexed.passages, MAX_VECTORS_PER_TRANSACTION))
    await storeGroup(tools, group)
  return alone
}

/** Null for a text that fails, or has more segments than one step can store. */
function toChunkedDocument(
  document: ClaimedDocument,
  [cleaned, , made, next]: readonly ChunkingStage[],
  chunked_at: Date,
): ChunkedDocument | null {
  if (cleaned?.stage !== 'cleaned' || made?.stage !== 'made' || next) return null
  const { word_count, losses } = cleaned
  const { segments } = made
  const { dataset_id, id, version, run, began } = document
  const rows = toSegmentRows({ dataset_id, document_id: id, began, position: 1, segments })
  const counts = { tokens: sumTokens(segments), passages: rows.passages.length, segments: segments.length }
  const indexed = { id, version, run, began, chunked_at, word_count, losses, ...counts }
  return { document, indexed, rows, vectors: [] }
}

/** Requests the vectors of all documents at once. @returns those that got them */
async function addVectors(
  { context, embedder, stopSignal, fail }: IndexingDeps,
  documents: readonly ChunkedDocument[],
): Promise<ChunkedDocument[]> {
  if (!embedder || documents.length === 0) return []
  await hashStoredTexts(
    context.database.pool,
    documents.map(({ document }) => document.id),
  )
  const results = await embedder.embed(
    documents.flatMap(({ rows }) => rows.passages),
    stopSignal,
  )
  const vectorized: ChunkedDocument[] = []
  for (const chunked of documents)
    try {
      const vectors = requireVectors(chunked.rows.passages.map(({ id }) => results.get(id)))
      vectorized.push({ ...chunked, vectors })
    } catch (error) {
      await fail(chunked.document, error)
    }
  return vectorized
}

/** Skips documents that were updated, deleted or claimed by another worker meanwhile. */
async function storeGroup(
  { context, embedder, stopSignal }: IndexingDeps,
  group: readonly ChunkedDocument[],
): Promise<void> {
  stopSignal.throwIfAborted()
  const now = new Date(context.clock())
  await context.database.transaction(async (client) => {
    const indexed = group.map((chunked) => chunked.indexed)
    const valid = await completeDocuments(client, indexed, now)
    const documents = group.filter(({ document }) => valid.has(document.id))
    if (documents.length === 0) return
    while (await deleteNextSegments(client, [...valid]));
    const rows = documents.map((chunked) => chunked.rows)
    await storeSegmentRows(client, rows, now)
    const vectors = documents.flatMap((chunked) => chunked.vectors)
    if (embedder) await storeVectors(client, vectors, embedder.model)
    // After the new ones have copied the vectors of unchanged texts.
    await deleteFormerPassages(client, [...valid])
    const dataset_ids = documents.map(({ document }) => document.dataset_id)
    await markDatasetsChanged(client, dataset_ids)
  })
}
