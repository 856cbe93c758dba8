import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { DryRunSegment } from '#contract/platform/optionalDatasets.ts'
import { hasText } from '#domain/chunking/cleanText.ts'
import { RetrievalModel } from '#contract/platform/schemas.ts'
import { EmbeddingError, requestVectors } from '../../indexing/embedding/embeddingRequests.ts'
import { PlatformError, toInvalidParamError } from '../../platformErrors.ts'
import { checkInput, registerPlatformEndpoint } from '../../platformRoute.ts'
import { parseRetrievalSettings } from '../../retrieval/retrievalSettings.ts'
import { resolveSettings } from '../../retrieval/retrieve.ts'
import { findSearchableDatasets } from '../../retrieval/searchableDatasets.ts'
import {
  createSegmentOverlay,
  type OverlayPassage,
  type OverlaySegment,
  type SegmentOverlay,
} from '../../retrieval/segmentOverlay.ts'
import { requireSearchableDataset } from '../datasetRecord.ts'
import type { KnowledgeContext } from '../knowledgeContext.ts'
import { requireSegment } from '../segmentRecord.ts'
import { requireIndexedDocument } from '../segmentRoutes.ts'
import { previewNewSegment, previewSegment } from '../segmentWrites.ts'

const DRAFT_EMBEDDING_TIMEOUT_MS = 30_000

/** Searches a dataset as it would be after changes, which are applied in memory; nothing is written or locked. */
export function registerDryRunRoute(app: FastifyInstance, context: KnowledgeContext): void {
  const { pool } = context.database
  registerPlatformEndpoint(app, optionalEndpoints.dryRunRetrieval, async ({ params, body }) => {
    const { id: dataset_id } = await requireSearchableDataset(pool, params.dataset_id)
    if (body.queries.some((query) => !query.trim())) throw toInvalidParamError('queries must not be blank')
    const { found } = await findSearchableDatasets(pool, [dataset_id])
    const [stored] = found
    if (!stored) return { results: [] }
    const isEconomy = stored.economy
    const overlay = await createOverlay(context, dataset_id, body.segments ?? [], isEconomy)
    const { passages, length } = stored.totals
    const dataset = {
      ...stored,
      settings: body.retrieval_model
        ? parseRetrievalSettings(checkInput(RetrievalModel, body.retrieval_model), stored.settings)
        : stored.settings,
      totals: {
        passages: passages + overlay.totalChanges.passages,
        length: length + overlay.totalChanges.length,
      },
    }
    const datasets = { found: [dataset], all: false }
    const settings = resolveSettings(null, datasets.found)
    const results = []
    for (const query of body.queries) {
      const ranking = await context.rank({ query, datasets, settings, overlay })
      if (settings.search_method !== ranking.search_method && ranking.fallback?.reason === 'embedding_failed')
        throw new PlatformError(
          400,
          'embedding_failed',
          'The embedding model did not answer, so the result is unknown.',
        )
      const tokens = await readTokens(context, ranking.segments, overlay)
      results.push({
        query,
        records: ranking.segments.flatMap(({ segment_id, score }) => {
          const known = tokens.get(segment_id)
          return known ? [{ segment_id, document_id: known.document_id, score, tokens: known.tokens }] : []
        }),
        search_method: ranking.search_method,
      })
    }
    return { results }
  })
}

async function createOverlay(
  context: KnowledgeContext,
  dataset_id: string,
  drafts: readonly DryRunSegment[],
  isEconomy: boolean,
): Promise<SegmentOverlay> {
  const { pool } = context.database
  const hidden: string[] = []
  const passages: OverlayPassage[] = []
  const segments = new Map<string, OverlaySegment>()
  for (const [index, { id, document_id, removed, ...change }] of drafts.entries()) {
    const document = await requireIndexedDocument(context, { dataset_id, document_id })
    if (!id) {
      const { content, answer, keywords } = change
      if (!content || !hasText(content))
        throw toInvalidParamError(`segments.${index}.content is required for a new segment`)
      const { rows } = await pool.query<{ position: number }>(
        'SELECT coalesce(max(position), 0)::int4 + 1 AS position FROM platform.segments WHERE document_id = $1',
        [document.id],
      )
      const preview = await previewNewSegment(
        context,
        document,
        { content, answer, keywords },
        (rows[0]?.position ?? 1) + index,
      )
      passages.push(...preview.passages)
      segments.set(preview.id, preview.segment)
      continue
    }
    const row = await requireSegment(pool, document.id, id)
    if (removed) {
      hidden.push(row.id)
      continue
    }
    const preview = await previewSegment(context, document, row, change)
    if (preview.isHidden) hidden.push(row.id)
    passages.push(...preview.passages)
    segments.set(row.id, preview.segment)
  }
  const vectors = isEconomy ? new Map<string, number[]>() : await embedPassages(context, passages)
  return { ...(await createSegmentOverlay(pool, { hidden, passages, segments })), vectors }
}

/** @throws PlatformError 400 if the embedding model fails, since the search would then be a different one */
async function embedPassages(
  { model }: KnowledgeContext,
  passages: readonly OverlayPassage[],
): Promise<Map<string, number[]>> {
  if (!model?.embed || passages.length === 0) return new Map()
  const vectors = await requestVectors(
    model.embed,
    passages.map(({ text }) => text),
    AbortSignal.timeout(DRAFT_EMBEDDING_TIMEOUT_MS),
  )
  return new Map(
    passages.map(({ id }, index) => {
      const vector = vectors[index]
      if (!vector || vector instanceof EmbeddingError)
        throw new PlatformError(
          400,
          'embedding_failed',
          'The embedding model did not answer, so the result is unknown.',
        )
      return [id, vector]
    }),
  )
}

async function readTokens(
  { database }: KnowledgeContext,
  ranked: readonly { segment_id: string }[],
  { segments }: SegmentOverlay,
): Promise<Map<string, { document_id: string; tokens: number }>> {
  const { rows } = await database.pool.query<{ id: string; document_id: string; tokens: number }>(
    'SELECT id, document_id, tokens FROM platform.segments WHERE id = ANY($1::uuid[])',
    [ranked.map(({ segment_id }) => segment_id)],
  )
  return new Map<string, { document_id: string; tokens: number }>([
    ...rows.map(({ id, ...row }) => [id, row] as const),
    ...segments,
  ])
}
