import type { PoolClient } from 'pg'
import { RetrievalModel } from '#contract/shapes.ts'
import type { PlatformContext } from '../context.ts'
import { check } from '../route.ts'
import type { Hit, Question } from './hit.ts'
import { keywordSearch, type Found } from './keyword.ts'
import { loadHits, type Ranked } from './load.ts'
import { searchableDatasets, type Searchable } from './searchable.ts'
import { DEFAULTS, readSettings, type RetrievalSettings } from './settings.ts'
import type { ReadStatistics } from './statistics.ts'
import { unit, type Vectors } from './vectors.ts'

/** What retrieval keeps between questions. */
export interface Retrieval {
  statistics: ReadStatistics
  vectors: Vectors
}

/** Passages that are ranked for one question; a parent segment may have many of them. */
const MOST_RANKED = 100
const EMBEDDING_TIMEOUT = 10_000

/**
 * Finds the segments of enabled, completed documents that answer a question best, and counts their hits. Where there is
 * no embedding model, or it fails, all search is by keyword, and each hit says so in `search_method`.
 * @throws PlatformError 400 `invalid_param` when the retrieval model is not right.
 */
export async function retrieve(context: PlatformContext, retrieval: Retrieval, question: Question): Promise<Hit[]> {
  const datasets = await searchableDatasets(context.database.pool, question.dataset_ids)
  const settings = settingsOf(question.retrieval_model, datasets.found)
  if (datasets.found.length === 0) return []
  const vector = await embed(context, settings, datasets.found, question.query)
  const statistics = []
  for (const dataset of datasets.found) statistics.push(await retrieval.statistics(dataset))
  const limit = Math.min(MOST_RANKED, Math.max(40, settings.top_k * 4))
  const keyword = keywordSearch({
    query: question.query,
    dataset_ids: datasets.all ? null : datasets.found.map(({ id }) => id),
    statistics,
    limit,
  })
  const ranked = await context.database.transaction(async (client) => {
    // A bitmap over the index is the only plan whose time is bounded, whatever the planner knows of the table.
    await client.query('SET LOCAL enable_seqscan = off; SET LOCAL jit = off')
    if (!vector) return keyword.find(client)
    return byMeaning(client, {
      retrieval,
      settings,
      vector,
      keyword,
      limit,
      dataset_ids: datasets.found.map(({ id }) => id),
    })
  })
  const segments = bestSegments(ranked, settings)
  return loadHits(context.database.pool, segments, vector ? settings.search_method : 'keyword_search')
}

function settingsOf(given: unknown, datasets: readonly Searchable[]): RetrievalSettings {
  const [only] = datasets
  const base = only && datasets.length === 1 ? only.settings : DEFAULTS
  return readSettings(given === undefined || given === null ? null : check(RetrievalModel, given), base)
}

interface QuestionVector {
  vector: number[]
  model: string
}

/** The question's vector, or null where search goes by keyword. */
async function embed(
  { model, log }: PlatformContext,
  { search_method }: RetrievalSettings,
  datasets: readonly Searchable[],
  query: string,
): Promise<QuestionVector | null> {
  const wanted = search_method === 'semantic_search' || search_method === 'hybrid_search'
  if (!wanted || !model?.embed || !model.embedding_name || datasets.every(({ economy }) => economy)) return null
  try {
    const [vector] = await model.embed([query], AbortSignal.timeout(EMBEDDING_TIMEOUT))
    return vector ? { vector: unit(vector), model: model.embedding_name } : null
  } catch (error) {
    log.warn({ err: error }, 'The embedding model failed; the question is searched by keyword.')
    return null
  }
}

interface Meaning {
  retrieval: Retrieval
  settings: RetrievalSettings
  vector: QuestionVector
  keyword: ReturnType<typeof keywordSearch>
  limit: number
  dataset_ids: string[]
}

async function byMeaning(client: PoolClient, { retrieval, settings, vector, keyword, limit, dataset_ids }: Meaning) {
  const { vectors } = retrieval
  const near = await vectors.nearest(client, { ...vector, dataset_ids, limit })
  if (settings.search_method === 'semantic_search') return near
  const worded = await keyword.find(client)
  const nearScores = scoresOf(near)
  const wordScores = scoresOf(worded)
  const missing = (scores: Map<string, number>, found: Found[]) =>
    found.filter(({ id }) => !scores.has(id)).map(({ id }) => id)
  const moreNear = await vectors.score(client, vector.vector, vector.model, missing(nearScores, worded))
  const moreWorded = await keyword.score(client, missing(wordScores, near))
  const all = new Map([...near, ...worded].map((found) => [found.id, found]))
  return [...all.values()]
    .map((found): Found => {
      const word = wordScores.get(found.id) ?? moreWorded.get(found.id) ?? 0
      const meaning = nearScores.get(found.id) ?? moreNear.get(found.id)
      // A passage of an economy dataset has no vector: its words are all there is to go by.
      const score =
        meaning === undefined ? word : meaning * settings.vector_weight + word * (1 - settings.vector_weight)
      return { ...found, score }
    })
    .sort((one, other) => other.score - one.score)
}

const scoresOf = (found: readonly Found[]): Map<string, number> => new Map(found.map(({ id, score }) => [id, score]))

/** One entry for each segment, with the children through which it was found; its score is that of the best. */
function bestSegments(found: readonly Found[], settings: RetrievalSettings): Ranked[] {
  const segments = new Map<string, Ranked>()
  const least = settings.score_threshold_enabled ? settings.score_threshold : 0
  for (const { segment_id, child_chunk_id, score } of found) {
    if (score < least) continue
    const known = segments.get(segment_id)
    const child = child_chunk_id ? [{ id: child_chunk_id, score }] : []
    if (known) known.children.push(...child)
    else if (segments.size < settings.top_k) segments.set(segment_id, { segment_id, score, children: child })
  }
  return [...segments.values()]
}
