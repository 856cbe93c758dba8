import type { PoolClient } from 'pg'
import type { ReadingLoss } from '#domain/documentReading/readingLoss.ts'
import { EmbeddingError } from './embedding/embeddingRequests.ts'
import { isSmall, type ClaimedDocument } from './documentClaims.ts'
import type { NewSegment } from './chunkDocument.ts'
import { deleteSegmentsOf } from './deleteSegments.ts'
import { isTransient } from './indexingFailure.ts'
import { getEmbedder, sumTokens, toChunkingJob, type IndexingDeps } from './indexDocument.ts'
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
  word_count: number
  losses: ReadingLoss[]
  segments: readonly NewSegment[]
  rows: SegmentRows
  vectors: PassageVector[]
  chunkedAt: Date
}

/**
 * Indexes small documents that were claimed together: one step in the worker, and one statement for each table. A
 * document is completed with all its rows, or not changed.
 * @param onFailure is called with each document that cannot be indexed.
 * @returns the documents that are to be indexed alone: those of many segments, and all that failed together.
 * @throws transient database errors; the signal's reason when the server stops.
 */
export async function indexTogether(
  tools: IndexingDeps,
  documents: readonly ClaimedDocument[],
  onFailure: (document: ClaimedDocument, error: unknown) => Promise<void>,
): Promise<ClaimedDocument[]> {
  if (!documents.every(isSmall)) return [...documents]
  const stages = await tools.workerPool.chunkAll(documents.map(toChunkingJob)).catch(() => null)
  if (!stages) return [...documents]
  const chunkedAt = new Date(tools.context.clock())
  const alone: ClaimedDocument[] = []
  const plain: ChunkedDocument[] = []
  const embedded: ChunkedDocument[] = []
  for (const [index, document] of documents.entries()) {
    const [cleaned, , made, next] = stages[index] ?? []
    if (cleaned?.stage !== 'cleaned' || made?.stage !== 'made' || next) alone.push(document)
    else {
      const { dataset_id, id: document_id, began } = document
      const { segments } = made
      const rows = toSegmentRows({ dataset_id, document_id, began, position: 1, segments })
      const { word_count, losses } = cleaned
      const chunked = { word_count, losses, segments, document, rows, vectors: [], chunkedAt }
      if (getEmbedder(tools, document)) embedded.push(chunked)
      else plain.push(chunked)
    }
  }
  // First those that do not wait for the model.
  for (const group of toGroups(plain, countTermsOf, MAX_TERMS_PER_TRANSACTION))
    alone.push(...(await storeOrReturn(tools, group)))
  const vectorized = await addVectors(tools, embedded, onFailure)
  for (const group of toGroups(vectorized, ({ rows }) => rows.passages.length, MAX_VECTORS_PER_TRANSACTION))
    alone.push(...(await storeOrReturn(tools, group)))
  return alone
}

/** Asks for the vectors of all documents at once. @returns those that got them. */
async function addVectors(
  { context, embedder, stopSignal }: IndexingDeps,
  documents: readonly ChunkedDocument[],
  onFailure: (document: ClaimedDocument, error: unknown) => Promise<void>,
): Promise<ChunkedDocument[]> {
  if (!embedder || documents.length === 0) return []
  const reindexed = documents.filter(({ document }) => !document.is_new).map(({ document }) => document.id)
  await hashStoredTexts(context.database.pool, reindexed)
  const results = await embedder.embed(
    documents.flatMap(({ rows }) => rows.passages),
    stopSignal,
  )
  const vectorized: ChunkedDocument[] = []
  for (const chunked of documents) {
    const vectors = chunked.rows.passages.map(({ id }) => results.get(id))
    const failure = vectors.find((result) => result instanceof EmbeddingError)
    if (failure) await onFailure(chunked.document, failure)
    else vectorized.push({ ...chunked, vectors: vectors.filter((result) => result !== undefined) as PassageVector[] })
  }
  return vectorized
}

const countTermsOf = ({ segments }: ChunkedDocument): number =>
  segments.reduce((sum, segment) => sum + countTerms(segment), 0)

/** Stores a group. @returns its documents if that failed, to be indexed one by one: then each has its own outcome. */
async function storeOrReturn(tools: IndexingDeps, group: ChunkedDocument[]): Promise<ClaimedDocument[]> {
  tools.stopSignal.throwIfAborted()
  try {
    await tools.context.database.transaction((client) => storeGroup(tools, client, group))
    return []
  } catch (error) {
    if (isTransient(error)) throw error
    return group.map(({ document }) => document)
  }
}

/** Documents that were updated, deleted or claimed by another worker meanwhile are left out. */
async function storeGroup(
  { context, embedder }: IndexingDeps,
  client: PoolClient,
  group: readonly ChunkedDocument[],
): Promise<void> {
  const now = new Date(context.clock())
  const valid = await markCompleted(client, group, now)
  const documents = group.filter(({ document }) => valid.has(document.id))
  if (documents.length === 0) return
  const reindexed = documents.filter(({ document }) => !document.is_new).map(({ document }) => document.id)
  const rows = mergeRows(documents.map(({ rows }) => rows))
  await deleteSegmentsOf(client, reindexed)
  await storeSegmentRows(client, rows, now)
  if (embedder)
    await storeVectors(
      client,
      documents.flatMap(({ vectors }) => vectors),
      embedder.model,
    )
  // After the new ones have copied the vectors of texts that have not changed.
  if (reindexed.length > 0)
    await client.query('DELETE FROM platform.passages WHERE document_id = ANY($1::uuid[]) AND id <> ALL($2::uuid[])', [
      reindexed,
      rows.passages.map(({ id }) => id),
    ])
  await client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = ANY($1::uuid[])', [
    [...new Set(documents.map(({ document }) => document.dataset_id))],
  ])
}

const mergeRows = (all: readonly SegmentRows[]): SegmentRows => ({
  segments: all.flatMap(({ segments }) => segments),
  children: all.flatMap(({ children }) => children),
  passages: all.flatMap(({ passages }) => passages),
})

/** The first statement of the transaction: it also blocks updates until the commit. @returns the ids of valid claims. */
async function markCompleted(
  client: PoolClient,
  group: readonly ChunkedDocument[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const totals = group.map(({ document, word_count, losses, segments, rows, chunkedAt }) => ({
    id: document.id,
    version: document.version,
    run: document.run,
    began: document.began,
    chunked_at: chunkedAt,
    latency: (now.getTime() - document.began.getTime()) / 1000,
    word_count,
    losses,
    tokens: sumTokens(segments),
    passages: rows.passages.length,
    total_segments: segments.length,
  }))
  const { rows } = await client.query<{ id: string }>(
    `UPDATE platform.documents d
        SET indexing_status = 'completed', parsing_completed_at = t.began, cleaning_completed_at = t.chunked_at,
            splitting_completed_at = t.chunked_at, completed_at = $3, indexing_latency = t.latency, tokens = t.tokens,
            word_count = t.word_count, losses = t.losses, passages = t.passages, total_segments = t.total_segments, error = NULL,
            stopped_at = NULL, run = NULL, lease_until = NULL
       FROM json_to_recordset($1::json) AS t (id uuid, version int4, run uuid, began timestamptz,
            chunked_at timestamptz, latency float8, word_count int4, losses jsonb, tokens int4, passages int4, total_segments int4)
      WHERE d.id = ANY($2::uuid[]) AND d.id = t.id AND d.version = t.version AND d.run = t.run
        AND d.removed_at IS NULL
      RETURNING d.id`,
    [JSON.stringify(totals), totals.map(({ id }) => id), now],
  )
  return new Set(rows.map(({ id }) => id))
}
