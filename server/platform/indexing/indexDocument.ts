import type { PoolClient } from 'pg'
import type { PlatformContext } from '../platformContext.ts'
import { LEASE_MS, type Claim, type ClaimedDocument } from './documentClaims.ts'
import type { ChunkingJob, ChunkingStage } from './chunkDocument.ts'
import { deleteNextSegments, deletePassages, listPassages } from './deleteSegments.ts'
import { EmbeddingError } from './embedding/embeddingRequests.ts'
import { IndexingError, SupersededError } from './indexingFailure.ts'
import type { PassageEmbedder } from './embedding/passageEmbedding.ts'
import { countTerms, MAX_TERMS_PER_TRANSACTION, storeSegmentRows, toSegmentRows } from './segmentStore.ts'
import { toGroups } from './toGroups.ts'
import { hashStoredTexts, storeVectors, type PassageVector } from './embedding/vectorStore.ts'
import type { WorkerPool } from './workerPool.ts'

export interface IndexingDeps {
  context: PlatformContext
  workerPool: WorkerPool
  /** Null without an embedding model. */
  embedder: PassageEmbedder | null
  stopSignal: AbortSignal
}

/**
 * Indexes one document of any size in stages, which its status shows. Every stage is written only while the claim is
 * valid. Passages of an earlier version are deleted last: their vectors serve for texts that have not changed.
 * @throws SupersededError, IndexingError, EmbeddingError; database errors.
 */
export async function indexDocument(tools: IndexingDeps, document: ClaimedDocument): Promise<void> {
  const { context, workerPool, stopSignal } = tools
  const { pool } = context.database
  const embedder = getEmbedder(tools, document)
  await updateProgress(tools, document, { indexing_status: 'cleaning', parsing_completed_at: true })
  const formerPassages = document.is_new ? [] : await listPassages(pool, document.id)
  if (embedder && !document.is_new) await hashStoredTexts(pool, [document.id])
  const totals = { position: 1, tokens: 0, word_count: 0, passages: 0 }
  for await (const stage of withIndexingErrors(workerPool.chunk(toChunkingJob(document)))) {
    stopSignal.throwIfAborted()
    if (stage.stage === 'cleaned') {
      totals.word_count = stage.word_count
      await updateProgress(tools, document, {
        indexing_status: 'splitting',
        cleaning_completed_at: true,
        losses: JSON.stringify(stage.losses),
      })
      if (!document.is_new) await deleteFormerSegments(tools, document)
    } else if (stage.stage === 'split') {
      await updateProgress(tools, document, {
        indexing_status: 'indexing',
        splitting_completed_at: true,
        total_segments: stage.total,
      })
    } else {
      const { segments } = stage
      const { dataset_id, id: document_id, began } = document
      const groups = toGroups(segments, countTerms, MAX_TERMS_PER_TRANSACTION).map((group) => {
        const rows = toSegmentRows({ dataset_id, document_id, began, position: totals.position, segments: group })
        totals.position += group.length
        totals.passages += rows.passages.length
        return rows
      })
      const passages = groups.flatMap((rows) => rows.passages)
      const vectors = await embedder?.embed(passages, stopSignal)
      for (const rows of groups)
        await context.database.transaction(async (client) => {
          await updateProgress(tools, document, {}, client)
          await storeSegmentRows(client, rows, new Date(context.clock()))
        })
      if (embedder && vectors) await storeVectors(pool, requireVectors(vectors.values()), embedder.model)
      totals.tokens += sumTokens(segments)
    }
  }
  await deletePassages(pool, formerPassages)
  await markCompleted(tools, document, totals)
}

/** Step by step, each only while the claim is valid: the segments of a later version are not deleted. */
async function deleteFormerSegments(tools: IndexingDeps, document: ClaimedDocument): Promise<void> {
  const deleteNext = () =>
    tools.context.database.transaction(async (client) => {
      await updateProgress(tools, document, {}, client)
      return deleteNextSegments(client, document.id)
    })
  while (await deleteNext());
}

/** Null for a document whose passages get no vectors. */
export const getEmbedder = ({ embedder }: IndexingDeps, { technique }: ClaimedDocument): PassageEmbedder | null =>
  technique === 'high_quality' ? embedder : null

export const toChunkingJob = ({ text, extension, rule, form, dataset_id, title }: ClaimedDocument): ChunkingJob => ({
  text,
  extension,
  rule,
  form,
  passageContext: { dataset_id, title },
})

export const sumTokens = (segments: readonly { tokens: number }[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0)

/** @throws EmbeddingError if one of the texts has no vector. */
function requireVectors(results: Iterable<PassageVector | EmbeddingError>): PassageVector[] {
  return [...results].map((result) => {
    if (result instanceof EmbeddingError) throw result
    return result
  })
}

interface IndexingStep {
  indexing_status?: string
  total_segments?: number
  parsing_completed_at?: true
  cleaning_completed_at?: true
  splitting_completed_at?: true
  /** In JSON. */
  losses?: string
}

/** Writes the changes and renews the lease. Inside a transaction it also blocks updates until the commit. */
async function updateProgress(
  { context }: IndexingDeps,
  claim: Claim,
  change: IndexingStep,
  client?: PoolClient,
): Promise<void> {
  const now = context.clock()
  const values: unknown[] = [claim.id, claim.version, claim.run, LEASE_MS]
  const settings = Object.entries(change).map(
    ([name, value]) => `, ${name} = $${values.push(value === true ? new Date(now) : value)}`,
  )
  const { rowCount } = await (client ?? context.database.pool).query(
    `UPDATE platform.documents SET lease_until = now() + $4 * interval '1 millisecond'${settings.join('')}
      WHERE id = $1 AND version = $2 AND run = $3 AND removed_at IS NULL`,
    values,
  )
  if (rowCount === 0) throw new SupersededError()
}

/** A failure in the worker pool is a failure of the document, not of the database. */
async function* withIndexingErrors(stages: AsyncGenerator<ChunkingStage>): AsyncGenerator<ChunkingStage> {
  try {
    yield* stages
  } catch (error) {
    throw new IndexingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

interface IndexingTotals {
  tokens: number
  word_count: number
  passages: number
}

async function markCompleted(
  { context }: IndexingDeps,
  claim: Claim,
  { tokens, word_count, passages }: IndexingTotals,
): Promise<void> {
  const now = context.clock()
  const latency = (now - claim.began.getTime()) / 1000
  await context.database.transaction(async (client) => {
    const { rowCount } = await client.query(
      `UPDATE platform.documents
          SET indexing_status = 'completed', completed_at = $4, indexing_latency = $5, tokens = $6, word_count = $7,
              passages = $8, error = NULL, stopped_at = NULL, run = NULL, lease_until = NULL
        WHERE id = $1 AND version = $2 AND run = $3 AND removed_at IS NULL`,
      [claim.id, claim.version, claim.run, new Date(now), latency, tokens, word_count, passages],
    )
    if (rowCount === 0) throw new SupersededError()
    await client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = $1', [claim.dataset_id])
  })
}
