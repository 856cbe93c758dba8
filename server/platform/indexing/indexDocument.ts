import type { Pool, PoolClient } from 'pg'
import type { ReadingLoss } from '#domain/documentReading/readingLoss.ts'
import type { PlatformContext } from '../platformContext.ts'
import { LEASE_MS, type Claim, type ClaimedDocument } from './documentClaims.ts'
import type { ChunkingJob } from './chunkDocument.ts'
import { deleteFormerPassages, deleteNextSegments } from './deleteSegments.ts'
import { EmbeddingError } from './embedding/embeddingRequests.ts'
import { SupersededError } from './indexingFailure.ts'
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
  fail: (document: Claim, error: unknown) => Promise<void>
}

/**
 * Indexes one document of any size in stages, which its status shows. Every stage is written only while the claim is
 * valid. Passages of an earlier version are deleted last: unchanged texts reuse their vectors.
 * @throws SupersededError, IndexingError, EmbeddingError; database errors
 */
export async function indexDocument(tools: IndexingDeps, document: ClaimedDocument): Promise<void> {
  const { context, workerPool, stopSignal } = tools
  const { database, clock } = context
  const getTime = () => new Date(clock())
  const { id: document_id, dataset_id, version, run, began } = document
  const embedder = getEmbedder(tools, document)
  await updateProgress(database.pool, document, { indexing_status: 'cleaning', parsing_completed_at: getTime() })
  if (embedder) await hashStoredTexts(database.pool, [document_id])
  const losses: ReadingLoss[] = []
  const indexed = { id: document_id, version, run, began, losses, word_count: 0, tokens: 0, passages: 0, segments: 0 }
  for await (const stage of workerPool.chunk(toChunkingJob(document))) {
    stopSignal.throwIfAborted()
    if (stage.stage === 'cleaned') {
      indexed.word_count = stage.word_count
      indexed.losses = stage.losses
      await updateProgress(database.pool, document, {
        indexing_status: 'splitting',
        cleaning_completed_at: getTime(),
        losses: JSON.stringify(stage.losses),
      })
      // Step by step, only while the claim is valid: segments of a later version are not deleted.
      const deleteNext = () =>
        database.transaction(async (client) => {
          await updateProgress(client, document)
          return deleteNextSegments(client, [document_id])
        })
      while (await deleteNext());
    } else if (stage.stage === 'split') {
      await updateProgress(database.pool, document, {
        indexing_status: 'indexing',
        splitting_completed_at: getTime(),
        total_segments: stage.total,
      })
    } else {
      const { segments } = stage
      const rows = segments.map((segment, index) => {
        const position = indexed.segments + index + 1
        return toSegmentRows({ dataset_id, document_id, began, position, segments: [segment] })
      })
      const passages = rows.flatMap((segmentRows) => segmentRows.passages)
      indexed.segments += segments.length
      indexed.passages += passages.length
      indexed.tokens += sumTokens(segments)
      const vectors = await embedder?.embed(passages, stopSignal)
      for (const group of toGroups(rows, countTerms, MAX_TERMS_PER_TRANSACTION))
        await database.transaction(async (client) => {
          await updateProgress(client, document)
          await storeSegmentRows(client, group, getTime())
        })
      if (embedder && vectors) await storeVectors(database.pool, requireVectors(vectors.values()), embedder.model)
    }
  }
  await deleteFormerPassages(database.pool, [document_id])
  await database.transaction(async (client) => {
    const completed = await completeDocuments(client, [indexed], getTime())
    if (completed.size === 0) throw new SupersededError()
    await markDatasetsChanged(client, [dataset_id])
  })
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
export function requireVectors(results: Iterable<PassageVector | EmbeddingError | undefined>): PassageVector[] {
  return [...results].flatMap((result) => {
    if (result instanceof EmbeddingError) throw result
    return result ?? []
  })
}

/** Writes the changes and renews the lease. Inside a transaction it also blocks updates until the commit. */
async function updateProgress(
  client: Pool | PoolClient,
  claim: Claim,
  change: Record<string, string | number | Date> = {},
): Promise<void> {
  const values: unknown[] = [claim.id, claim.version, claim.run, LEASE_MS]
  const settings = Object.entries(change).map(([name, value]) => `, ${name} = $${values.push(value)}`)
  const { rowCount } = await client.query(
    `UPDATE platform.documents SET lease_until = now() + $4 * interval '1 millisecond'${settings.join('')}
      WHERE id = $1 AND version = $2 AND run = $3 AND removed_at IS NULL`,
    values,
  )
  if (rowCount === 0) throw new SupersededError()
}

/** Stored with a document when it is indexed. */
export interface IndexedDocument extends Pick<Claim, 'id' | 'version' | 'run' | 'began'> {
  word_count: number
  losses: readonly ReadingLoss[]
  tokens: number
  /** Counts. */
  passages: number
  segments: number
  /** When its text was cleaned and split, if that is not stored yet. */
  chunked_at?: Date
}

/** Also blocks updates until the commit. @returns the ids of the documents whose claim is valid */
export async function completeDocuments(
  client: PoolClient,
  documents: readonly IndexedDocument[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE platform.documents d
        SET indexing_status = 'completed', parsing_completed_at = coalesce(d.parsing_completed_at, t.began),
            cleaning_completed_at = coalesce(d.cleaning_completed_at, t.chunked_at),
            splitting_completed_at = coalesce(d.splitting_completed_at, t.chunked_at), completed_at = $3,
            indexing_latency = extract(epoch FROM $3::timestamptz - t.began), tokens = t.tokens,
            word_count = t.word_count, losses = t.losses, passages = t.passages, total_segments = t.segments,
            error = NULL, stopped_at = NULL, run = NULL, lease_until = NULL
       FROM json_to_recordset($1::json) AS t (id uuid, version int4, run uuid, began timestamptz,
            chunked_at timestamptz, word_count int4, losses jsonb, tokens int4, passages int4, segments int4)
      WHERE d.id = ANY($2::uuid[]) AND d.id = t.id AND d.version = t.version AND d.run = t.run
        AND d.removed_at IS NULL
      RETURNING d.id`,
    [JSON.stringify(documents), documents.map(({ id }) => id), now],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Last in a transaction: other writers lock the dataset last, too. */
export const markDatasetsChanged = (client: PoolClient, dataset_ids: readonly string[]) =>
  client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = ANY($1::uuid[])', [dataset_ids])
