import type { PoolClient } from 'pg'
import { RetrievalModel } from '#contract/platform/schemas.ts'
import { compareScores, type ScoredPassage } from '#domain/keywordSearch/passageScoring.ts'
import { toQueryTerms } from '#domain/keywordSearch/termVector.ts'
import type { PlatformContext } from '../platformContext.ts'
import { checkInput } from '../platformRoute.ts'
import type { RetrievalFallback, RetrievalQuery, RetrievalResult } from './retrievalHit.ts'
import { createKeywordSearch } from './keywordSearch.ts'
import { loadHits, type RankedSegment } from './loadHits.ts'
import { findFilteredDocuments } from './metadataFilter.ts'
import { findSearchableDatasets, type SearchableDataset } from './searchableDatasets.ts'
import { dropOverlaps } from './overlaps.ts'
import {
  DEFAULT_RETRIEVAL_SETTINGS,
  parseRetrievalSettings,
  type RetrievalSettings,
  type SearchMethod,
} from './retrievalSettings.ts'
import type { SegmentOverlay } from './segmentOverlay.ts'
import { readTermStatistics } from './termStatistics.ts'
import { normalizeVector, type VectorSearch } from './vectorSearch.ts'

/** Caches of the retrieval between questions. */
export interface RetrievalDeps {
  vectors: VectorSearch
}

/** Maximum passages ranked for one question; a parent segment may have many of them. */
const MAX_RANKED_PASSAGES = 100
const EMBEDDING_TIMEOUT_MS = 10_000
/** A workflow node may search with a text of any length; only the terms of its beginning are used. */
const MAX_QUERY_CHARS = 2000

/**
 * Finds the best matching segments of enabled, completed documents, and increments their hit counts. Without an
 * embedding model, or if it fails, all search is by keyword: the result says so, and each hit names its own method.
 * @throws PlatformError 400 `invalid_param` if the retrieval model is invalid.
 */
export async function retrieve(
  context: PlatformContext,
  retrieval: RetrievalDeps,
  question: RetrievalQuery,
): Promise<RetrievalResult> {
  const { pool } = context.database
  const datasets = await findSearchableDatasets(pool, question.dataset_ids)
  const settings = resolveSettings(question.retrieval_model, datasets.found)
  const { segments, ...result } = await rankSegments(context, retrieval, {
    query: question.query,
    datasets,
    settings,
    overlay: null,
  })
  return { ...result, hits: await loadHits(pool, segments) }
}

export interface RankingInput {
  query: string
  datasets: Awaited<ReturnType<typeof findSearchableDatasets>>
  settings: RetrievalSettings
  /** Segments that are searched in a changed form; null for the stored ones. */
  overlay: SegmentOverlay | null
}

export type Ranking = Omit<RetrievalResult, 'hits'> & { segments: RankedSegment[] }

/** The best segments for a question. It writes nothing. */
export async function rankSegments(
  context: PlatformContext,
  retrieval: RetrievalDeps,
  { query, datasets, settings, overlay }: RankingInput,
): Promise<Ranking> {
  const { pool } = context.database
  const nothing = { segments: [], search_method: settings.search_method, fallback: null }
  if (datasets.found.length === 0) return nothing
  const dataset_ids = datasets.found.map(({ id }) => id)
  const document_ids = await findFilteredDocuments(pool, dataset_ids, settings.written?.metadata_filtering_conditions)
  if (document_ids?.length === 0) return nothing
  const { vector, fallback } = await embedQuery(context, settings, datasets.found, query)
  const hasFormerTerms = datasets.found.some(({ isUpToDate }) => !isUpToDate)
  const terms = toQueryTerms(query.slice(0, MAX_QUERY_CHARS), { hasFormerTerms })
  const statistics = await readTermStatistics(
    pool,
    datasets.found,
    terms.map(({ hash }) => hash),
    overlay?.termChanges,
  )
  const limit = Math.min(MAX_RANKED_PASSAGES, Math.max(40, settings.top_k * 4))
  const minimum = settings.top_k * 2
  const keyword = createKeywordSearch({
    terms,
    dataset_ids: datasets.all ? null : dataset_ids,
    document_ids,
    statistics,
    limit,
    minimum,
    overlay,
  })
  const ranked = await context.database.transaction(async (client) => {
    // A bitmap index scan is the only plan with a bounded time, whatever the planner's statistics.
    await client.query('SET LOCAL enable_seqscan = off; SET LOCAL jit = off')
    const findByKeyword = () => findSegments((excluded) => keyword.find(client, excluded), { limit, minimum })
    if (!vector) return toMethod(await findByKeyword(), fallback ? 'keyword_search' : settings.search_method)
    const search = { retrieval, settings, vector, limit, minimum, dataset_ids, document_ids, overlay }
    return searchByMeaning(client, { ...search, findByKeyword, scoreByKeyword: keyword.score })
  })
  const segments = await dropOverlaps(pool, toSegments(ranked, settings), settings.top_k, overlay)
  return { segments, search_method: fallback ? 'keyword_search' : settings.search_method, fallback }
}

/** The settings of a single dataset are the default; without vectors keyword search is used, whatever is stored. */
export function resolveSettings(given: unknown, datasets: readonly SearchableDataset[]): RetrievalSettings {
  const [only] = datasets
  const stored = only && datasets.length === 1 ? only.settings : DEFAULT_RETRIEVAL_SETTINGS
  const base = only?.economy && datasets.length === 1 ? { ...stored, search_method: 'keyword_search' as const } : stored
  return parseRetrievalSettings(given === undefined || given === null ? null : checkInput(RetrievalModel, given), base)
}

interface QuestionVector {
  vector: number[]
  model: string
}

/** The question's vector; without one, why the search is by keyword although another method is set. */
async function embedQuery(
  { model, log }: PlatformContext,
  { search_method }: RetrievalSettings,
  datasets: readonly SearchableDataset[],
  query: string,
): Promise<{ vector: QuestionVector | null; fallback: RetrievalFallback | null }> {
  const isSemantic = search_method === 'semantic_search' || search_method === 'hybrid_search'
  if (!isSemantic) return { vector: null, fallback: null }
  const fallBack = (reason: RetrievalFallback['reason']) => ({
    vector: null,
    fallback: { requested_method: search_method, reason },
  })
  if (!model?.embed || !model.embedding_name) return fallBack('no_embedding_model')
  if (datasets.every(({ economy }) => economy)) return fallBack('economy_dataset')
  try {
    const [vector] = await model.embed([query], AbortSignal.timeout(EMBEDDING_TIMEOUT_MS))
    if (vector) return { vector: { vector: normalizeVector(vector), model: model.embedding_name }, fallback: null }
  } catch (error) {
    log.warn({ err: error }, 'embedding model failed, using keyword search')
  }
  return fallBack('embedding_failed')
}

interface SemanticSearchInput {
  retrieval: RetrievalDeps
  settings: RetrievalSettings
  vector: QuestionVector
  findByKeyword: () => Promise<ScoredPassage[]>
  scoreByKeyword: ReturnType<typeof createKeywordSearch>['score']
  limit: number
  minimum: number
  dataset_ids: string[]
  document_ids: string[] | null
  overlay: SegmentOverlay | null
}

/**
 * Passages of at least `minimum` segments, best first, if there are as many: segments that fill a search, such as
 * parents with many children, are excluded from the next one.
 */
async function findSegments(
  search: (excluded: readonly string[]) => Promise<readonly ScoredPassage[]>,
  { limit, minimum }: { limit: number; minimum: number },
): Promise<ScoredPassage[]> {
  const passages: ScoredPassage[] = []
  const segments = new Set<string>()
  let found: readonly ScoredPassage[]
  do {
    found = await search([...segments])
    passages.push(...found)
    for (const { segment_id } of found) segments.add(segment_id)
  } while (found.length >= limit && segments.size < minimum)
  return passages.sort(compareScores)
}

async function searchByMeaning(
  client: PoolClient,
  { retrieval, settings, vector, limit, minimum, dataset_ids, document_ids, overlay, ...keyword }: SemanticSearchInput,
) {
  const { vectors } = retrieval
  const stored = await findSegments(
    (excluded) => {
      const hidden = [...(overlay?.hidden ?? []), ...excluded]
      return vectors.findNearest(client, { ...vector, dataset_ids, document_ids, limit, hidden })
    },
    { limit, minimum },
  )
  const overlaid = await scoreOverlay(client, vectors, vector, { overlay, document_ids })
  const semanticPassages = overlaid.length > 0 ? [...stored, ...overlaid].sort(compareScores) : stored
  if (settings.search_method === 'semantic_search') return toMethod(semanticPassages, 'semantic_search')
  const keywordPassages = await keyword.findByKeyword()
  const semanticScores = toScoreMap(semanticPassages)
  const keywordScores = toScoreMap(keywordPassages)
  const findMissingIds = (scores: Map<string, number>, found: ScoredPassage[]) =>
    found.filter(({ id }) => !scores.has(id)).map(({ id }) => id)
  const missingIds = findMissingIds(semanticScores, keywordPassages)
  const missingSemanticScores = new Map([
    ...(await vectors.scorePassages(client, vector.vector, vector.model, missingIds)),
    ...overlaid.map(({ id, score }) => [id, score] as const),
  ])
  const missingKeywordScores = await keyword.scoreByKeyword(client, findMissingIds(keywordScores, semanticPassages))
  const all = new Map([...semanticPassages, ...keywordPassages].map((found) => [found.id, found]))
  return [...all.values()]
    .map((found): RankedPassage => {
      const keywordScore = keywordScores.get(found.id) ?? missingKeywordScores.get(found.id) ?? 0
      const semanticScore = semanticScores.get(found.id) ?? missingSemanticScores.get(found.id)
      // A passage of an economy dataset has no vector: only its keyword score is available.
      if (semanticScore === undefined) return { ...found, score: keywordScore, search_method: 'keyword_search' }
      const score = semanticScore * settings.vector_weight + keywordScore * (1 - settings.vector_weight)
      return { ...found, score, search_method: 'hybrid_search' }
    })
    .sort(compareScores)
}

/** The passages of the overlay that have a vector, with their similarity. */
async function scoreOverlay(
  client: PoolClient,
  vectors: VectorSearch,
  { vector }: QuestionVector,
  { overlay, document_ids }: Pick<SemanticSearchInput, 'overlay' | 'document_ids'>,
): Promise<ScoredPassage[]> {
  if (!overlay) return []
  const scores = await vectors.scoreVectors(client, vector, overlay.vectors)
  return overlay.passages.flatMap(({ id, segment_id, child_chunk_id, document_id }) => {
    const score = scores.get(id)
    const isSearched = overlay.isFindable(document_id) && (document_ids?.includes(document_id) ?? true)
    return score === undefined || !isSearched ? [] : [{ id, segment_id, child_chunk_id, score }]
  })
}

const toScoreMap = (found: readonly ScoredPassage[]): Map<string, number> =>
  new Map(found.map(({ id, score }) => [id, score]))

interface RankedPassage extends ScoredPassage {
  search_method: SearchMethod
}

const toMethod = (passages: readonly ScoredPassage[], search_method: SearchMethod): RankedPassage[] =>
  passages.map((passage) => ({ ...passage, search_method }))

/** One entry per segment, with the children through which it was found; its score is that of the best. */
function toSegments(passages: readonly RankedPassage[], settings: RetrievalSettings): RankedSegment[] {
  const segments = new Map<string, RankedSegment>()
  const minScore = settings.score_threshold_enabled ? settings.score_threshold : 0
  for (const { segment_id, child_chunk_id, score, search_method } of passages) {
    if (score < minScore) continue
    const existing = segments.get(segment_id)
    const child = child_chunk_id ? [{ id: child_chunk_id, score }] : []
    if (existing) existing.children.push(...child)
    else segments.set(segment_id, { segment_id, score, search_method, children: child })
  }
  return [...segments.values()]
}
