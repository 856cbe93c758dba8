import MiniSearch from 'minisearch'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import type { SendRequest } from '../../checks/kill/consoleClient.ts'
import { createDocument, readCpuMs, waitUntilAllIndexed } from '../platform/knowledgeClient.ts'
import { answerFrom, holdsGoldText, isAnswered, PASSAGES_PER_ANSWER, type RetrievedSegment } from './answerMetrics.ts'
import { createSegmenterTokenizer, createTextbookTokenizer, isUnspaced, type Tokenizer } from './baselineTokenizers.ts'
import { createOkapiIndex, type IndexedText, type Search } from './okapiIndex.ts'
import { averageRankingMetrics, computeRankingMetrics, METRICS_DEPTH, type RankingMetrics } from './rankingMetrics.ts'
import { type CollectionQuery, findRelevant, type RetrievalCollection } from './retrievalCollections.ts'

export const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const WARM_UP_QUERIES = 10
const MAX_FOREIGN_QUERIES = 250
const CONCURRENT_CREATES = 4
/** Maximum characters of a query that `/retrieve` accepts. */
const MAX_QUERY_CHARS = 250

/** What the platform finds and answers on one collection, and what other engines find. */
export interface CollectionQuality {
  collection: RetrievalCollection
  ranking: RankingMetrics
  baselines: Map<string, RankingMetrics>
  documentsPerSecond: number
  /** CPU time of the server. */
  cpuMsPerDocument: number
  cpuMsPerQuery: number
  /** Durations of `/retrieve`, one query at a time. */
  durationsMs: number[]
  /** Queries for which fewer than 10 segments came back. */
  shortLists: number
  /** Null where the collection has no gold texts. */
  answers: AnswerQuality | null
  /** Answered questions of another collection in the same language; null where there is none. */
  foreign: { names: string[]; share: number } | null
}

export interface AnswerQuality {
  /** Share of answers that hold a gold text. */
  gold: number
  /** Share of questions without an answer. */
  unanswered: number
  /**
   * Share of questions that are answered from passages of other articles, once those with the title of the gold passage are
   * left out of the list. Null where no two documents share a title: titles then do not say what else is about the same.
   */
  withoutArticle: number | null
}

interface BenchPlatform {
  loupe: LoupeProcess
  send: SendRequest
}

/** Loads a collection into a dataset of its own and asks all its questions, and those of others in its language. */
export async function measureQuality(
  platform: BenchPlatform,
  collection: RetrievalCollection,
  all: readonly RetrievalCollection[],
): Promise<CollectionQuality> {
  const { find, ...loading } = await loadDataset(platform, collection)
  for (const { text } of collection.queries.slice(0, WARM_UP_QUERIES)) await find(text)
  const durationsMs: number[] = []
  const cpuMs = readCpuMs(platform.loupe)
  const results: QueryResult[] = []
  for (const query of collection.queries) {
    const began = performance.now()
    const segments = await find(query.text)
    durationsMs.push(performance.now() - began)
    results.push({ query, segments })
  }
  const cpuMsPerQuery = (readCpuMs(platform.loupe) - cpuMs) / collection.queries.length
  const rankings = results.map(({ query, segments }) =>
    computeRankingMetrics(
      segments.map(({ id }) => id),
      findRelevant(query.rel),
    ),
  )
  return {
    collection,
    ranking: averageRankingMetrics(rankings),
    baselines: measureBaselines(collection),
    ...loading,
    durationsMs,
    cpuMsPerQuery,
    shortLists: results.filter(({ segments }) => segments.length < METRICS_DEPTH).length,
    answers: measureAnswers(collection, results),
    foreign: await measureForeign(find, collection, all),
  }
}

type Find = (query: string) => Promise<RetrievedSegment[]>

/**
 * Creates a dataset and one document for each text, four at a time, under names that say nothing about the text. The time
 * is taken from the first request until all documents are available. `find` gives the best segments, best first.
 */
async function loadDataset({ loupe, send }: BenchPlatform, { name, docs }: RetrievalCollection) {
  const { id } = await send<{ id: string }>('POST', '/datasets', { name, indexing_technique: 'economy' })
  const idByDocument = new Map<string, string>()
  const waiting = docs.entries()
  const began = performance.now()
  const cpuMs = readCpuMs(loupe)
  const createAll = async () => {
    for (const [index, text] of waiting) {
      const created = await createDocument(send, id, `x${index + 1}`, text.text, { mode: 'automatic' })
      idByDocument.set(created.document.id, text.id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_CREATES }, createAll))
  await waitUntilAllIndexed(send, id, docs.length)
  const find: Find = async (query) => {
    const retrieval_model = {
      search_method: 'keyword_search',
      reranking_enable: false,
      top_k: METRICS_DEPTH,
      score_threshold_enabled: false,
    }
    const { records } = await send<{
      records: { segment: { content: string; answer: string | null; document: { id: string } }; score: number }[]
    }>('POST', `/datasets/${id}/retrieve`, { query: truncateQuery(query), retrieval_model })
    return records.map(({ segment: { content, answer, document }, score }) => ({
      id: idByDocument.get(document.id) ?? '',
      content,
      answer,
      score,
    }))
  }
  return {
    find,
    documentsPerSecond: (docs.length * 1000) / (performance.now() - began),
    cpuMsPerDocument: (readCpuMs(loupe) - cpuMs) / docs.length,
  }
}

/** A query that is too long is cut at a word. */
function truncateQuery(query: string): string {
  if (query.length <= MAX_QUERY_CHARS) return query
  const end = query.lastIndexOf(' ', MAX_QUERY_CHARS)
  return query.slice(0, end > 0 ? end : MAX_QUERY_CHARS)
}

interface QueryResult {
  query: CollectionQuery
  segments: RetrievedSegment[]
}

function measureAnswers({ docs }: RetrievalCollection, results: readonly QueryResult[]): AnswerQuality | null {
  const withGold = results.filter(({ query }) => query.answers)
  if (withGold.length === 0) return null
  const titles = new Map(docs.map(({ id, title }) => [id, title]))
  const named = docs.map(({ title }) => title).filter((title) => title !== '')
  const areTitlesShared = new Set(named).size < named.length
  let [gold, answered, withOthers, answeredByOthers] = [0, 0, 0, 0]
  for (const { query, segments } of withGold) {
    const answer = answerFrom(query.text, segments)
    const isQuote = isAnswered(query.text, answer)
    if (isQuote) answered++
    if (isQuote && holdsGoldText(answer, query.answers ?? [])) gold++
    const goldTitles = new Set([...findRelevant(query.rel)].map((id) => titles.get(id)))
    const others = segments.filter(({ id }) => !goldTitles.has(titles.get(id)))
    if (others.length < PASSAGES_PER_ANSWER) continue
    withOthers++
    if (isAnswered(query.text, answerFrom(query.text, others))) answeredByOthers++
  }
  return {
    gold: gold / withGold.length,
    unanswered: 1 - answered / withGold.length,
    withoutArticle: areTitlesShared && withOthers > 0 ? answeredByOthers / withOthers : null,
  }
}

/** The questions of other collections in the same language and script: what they ask is not in the dataset. */
async function measureForeign(
  find: Find,
  collection: RetrievalCollection,
  all: readonly RetrievalCollection[],
): Promise<CollectionQuality['foreign']> {
  const partners = all.filter((other) => other !== collection && toScript(other.lang) === toScript(collection.lang))
  const queries = partners.flatMap((partner) => partner.queries)
  if (queries.length === 0) return null
  const step = Math.max(1, queries.length / MAX_FOREIGN_QUERIES)
  let [asked, answered] = [0, 0]
  for (let index = 0; index < queries.length; index += step) {
    const text = queries[Math.floor(index)]?.text ?? ''
    asked++
    if (isAnswered(text, answerFrom(text, await find(text)))) answered++
  }
  return { names: partners.map(({ name }) => name), share: answered / asked }
}

/** Language and script: `zh` and `zh-Hant` share no words. */
function toScript(lang: string): string {
  const { language, script } = new Intl.Locale(lang).maximize()
  return `${language}-${script}`
}

/** Metrics of other search engines over the same documents, by their names. */
function measureBaselines({ lang, docs, queries }: RetrievalCollection): Map<string, RankingMetrics> {
  const searches: Record<string, Search> = {
    'textbook BM25': createOkapiIndex(docs, createTextbookTokenizer(lang)),
    minisearch: createMiniSearch(docs),
    ...(isUnspaced(docs.map(({ text }) => text).join(' '))
      ? { 'minisearch + Intl.Segmenter': createMiniSearch(docs, createSegmenterTokenizer(lang)) }
      : {}),
  }
  const measure = (search: Search) =>
    averageRankingMetrics(
      queries.map(({ text, rel }) => computeRankingMetrics(search(truncateQuery(text)), findRelevant(rel))),
    )
  return new Map(Object.entries(searches).map(([name, search]) => [name, measure(search)]))
}

function createMiniSearch(docs: readonly IndexedText[], tokenize?: Tokenizer): Search {
  const index = new MiniSearch<IndexedText>({ fields: ['text'], ...(tokenize ? { tokenize } : {}) })
  index.addAll(docs)
  return (query) =>
    index
      .search(query)
      .slice(0, METRICS_DEPTH)
      .map(({ id }) => String(id))
}
