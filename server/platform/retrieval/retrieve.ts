import type { PoolClient } from 'pg'
import { RetrievalModel } from '#contract/platform/schemas.ts'
import type { PlatformContext } from '../platformContext.ts'
import { checkInput } from '../platformRoute.ts'
import type { RetrievalHit, RetrievalQuery } from './retrievalHit.ts'
import { createKeywordSearch, type ScoredPassage } from './keywordSearch.ts'
import { loadHits, type RankedSegment } from './loadHits.ts'
import { findFilteredDocuments } from './metadataFilter.ts'
import { findSearchableDatasets, type SearchableDataset } from './searchableDatasets.ts'
import { DEFAULT_RETRIEVAL_SETTINGS, parseRetrievalSettings, type RetrievalSettings } from './retrievalSettings.ts'
import type { ReadTermStatistics } from './termStatistics.ts'
import { normalizeVector, type VectorSearch } from './vectorSearch.ts'

/** Caches of the retrieval between questions. */
export interface RetrievalDeps {
  statistics: ReadTermStatistics
  vectors: VectorSearch
}

/** Passages that are ranked for one question; a parent segment may have many of them. */
const MAX_RANKED_PASSAGES = 100
const EMBEDDING_TIMEOUT_MS = 10_000

/**
 * Finds the best matching segments of enabled, completed documents, and increments their hit counts. Without an
 * embedding model, or if it fails, all search is by keyword, and each hit shows that in `search_method`.
 * @throws PlatformError 400 `invalid_param` if the retrieval model is invalid.
 */
export async function retrieve(
  context: PlatformContext,
  retrieval: RetrievalDeps,
  question: RetrievalQuery,
): Promise<RetrievalHit[]> {
  const datasets = await findSearchableDatasets(context.database.pool, question.dataset_ids)
  const settings = resolveSettings(question.retrieval_model, datasets.found)
  if (datasets.found.length === 0) return []
  const document_ids = await findFilteredDocuments(
    context.database.pool,
    datasets.found.map(({ id }) => id),
    settings.written?.metadata_filtering_conditions,
  )
  if (document_ids?.length === 0) return []
  const vector = await embedQuery(context, settings, datasets.found, question.query)
  const statistics = []
  for (const dataset of datasets.found) statistics.push(await retrieval.statistics(dataset))
  const limit = Math.min(MAX_RANKED_PASSAGES, Math.max(40, settings.top_k * 4))
  const keyword = createKeywordSearch({
    query: question.query,
    dataset_ids: datasets.all ? null : datasets.found.map(({ id }) => id),
    document_ids,
    statistics,
    limit,
  })
  const ranked = await context.database.transaction(async (client) => {
    // A bitmap index scan is the only plan with a bounded time, whatever statistics the planner has.
    await client.query('SET LOCAL enable_seqscan = off; SET LOCAL jit = off')
    if (!vector) return keyword.find(client)
    return searchByMeaning(client, {
      retrieval,
      settings,
      vector,
      keywordSearch: keyword,
      limit,
      dataset_ids: datasets.found.map(({ id }) => id),
      document_ids,
    })
  })
  const segments = bestSegments(ranked, settings)
  return loadHits(context.database.pool, segments, vector ? settings.search_method : 'keyword_search')
}

function resolveSettings(given: unknown, datasets: readonly SearchableDataset[]): RetrievalSettings {
  const [only] = datasets
  const base = only && datasets.length === 1 ? only.settings : DEFAULT_RETRIEVAL_SETTINGS
  return parseRetrievalSettings(given === undefined || given === null ? null : checkInput(RetrievalModel, given), base)
}

interface QuestionVector {
  vector: number[]
  model: string
}

/** The question's vector, or null for a keyword search. */
async function embedQuery(
  { model, log }: PlatformContext,
  { search_method }: RetrievalSettings,
  datasets: readonly SearchableDataset[],
  query: string,
): Promise<QuestionVector | null> {
  const isSemantic = search_method === 'semantic_search' || search_method === 'hybrid_search'
  if (!isSemantic || !model?.embed || !model.embedding_name || datasets.every(({ economy }) => economy)) return null
  try {
    const [vector] = await model.embed([query], AbortSignal.timeout(EMBEDDING_TIMEOUT_MS))
    return vector ? { vector: normalizeVector(vector), model: model.embedding_name } : null
  } catch (error) {
    log.warn({ err: error }, 'embedding model failed, using keyword search')
    return null
  }
}

interface SemanticSearchInput {
  retrieval: RetrievalDeps
  settings: RetrievalSettings
  vector: QuestionVector
  keywordSearch: ReturnType<typeof createKeywordSearch>
  limit: number
  dataset_ids: string[]
  document_ids: string[] | null
}

async function searchByMeaning(
  client: PoolClient,
  { retrieval, settings, vector, keywordSearch, limit, dataset_ids, document_ids }: SemanticSearchInput,
) {
  const { vectors } = retrieval
  const semanticPassages = await vectors.findNearest(client, { ...vector, dataset_ids, document_ids, limit })
  if (settings.search_method === 'semantic_search') return semanticPassages
  const keywordPassages = await keywordSearch.find(client)
  const semanticScores = toScoreMap(semanticPassages)
  const keywordScores = toScoreMap(keywordPassages)
  const findMissingIds = (scores: Map<string, number>, found: ScoredPassage[]) =>
    found.filter(({ id }) => !scores.has(id)).map(({ id }) => id)
  const missingSemanticScores = await vectors.scorePassages(
    client,
    vector.vector,
    vector.model,
    findMissingIds(semanticScores, keywordPassages),
  )
  const missingKeywordScores = await keywordSearch.score(client, findMissingIds(keywordScores, semanticPassages))
  const all = new Map([...semanticPassages, ...keywordPassages].map((found) => [found.id, found]))
  return [...all.values()]
    .map((found): ScoredPassage => {
      const keywordScore = keywordScores.get(found.id) ?? missingKeywordScores.get(found.id) ?? 0
      const semanticScore = semanticScores.get(found.id) ?? missingSemanticScores.get(found.id)
      // A passage of an economy dataset has no vector: only its keyword score is available.
      const score =
        semanticScore === undefined
          ? keywordScore
          : semanticScore * settings.vector_weight + keywordScore * (1 - settings.vector_weight)
      return { ...found, score }
    })
    .sort((one, other) => other.score - one.score)
}

const toScoreMap = (found: readonly ScoredPassage[]): Map<string, number> =>
  new Map(found.map(({ id, score }) => [id, score]))

/** One entry per segment, with the children through which it was found; its score is that of the best. */
function bestSegments(passages: readonly ScoredPassage[], settings: RetrievalSettings): RankedSegment[] {
  const segments = new Map<string, RankedSegment>()
  const minScore = settings.score_threshold_enabled ? settings.score_threshold : 0
  for (const { segment_id, child_chunk_id, score } of passages) {
    if (score < minScore) continue
    const existing = segments.get(segment_id)
    const child = child_chunk_id ? [{ id: child_chunk_id, score }] : []
    if (existing) existing.children.push(...child)
    else if (segments.size < settings.top_k) segments.set(segment_id, { segment_id, score, children: child })
  }
  return [...segments.values()]
}
