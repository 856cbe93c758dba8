import type { LoupeProcess } from '#support/loupeProcess.ts'
import { answerFrom, holdsGoldText, isAnswered, PASSAGES_PER_ANSWER } from './answerMetrics.ts'
import { measureBaselines } from './baselineSearches.ts'
import { readCpuMs } from './cpuTime.ts'
import {
  type CollectionDataset,
  type LoadedDataset,
  loadDataset,
  retrieveSegments,
  type RetrievedSegment,
} from './knowledgeClient.ts'
import { averageRankingMetrics, computeRankingMetrics, METRICS_DEPTH, type RankingMetrics } from './rankingMetrics.ts'
import { type CollectionQuery, findRelevant, type RetrievalCollection } from './retrievalCollections.ts'

const WARM_UP_QUERIES = 10
const MAX_FOREIGN_QUERIES = 250

/** What the platform finds and answers on one collection, and what other engines find. */
export interface CollectionQuality {
  collection: RetrievalCollection
  ranking: RankingMetrics
  baselines: Map<string, RankingMetrics>
  /** Time of loading. */
  dataset: LoadedDataset
  /** Durations of `/retrieve`, one query at a time. */
  durationsMs: number[]
  /** CPU time of the server. */
  cpuMsPerQuery: number
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

/** Loads a collection into a dataset of its own and asks all its questions, and those of others in its language. */
export async function measureQuality(
  loupe: LoupeProcess,
  collection: RetrievalCollection,
  all: readonly RetrievalCollection[],
): Promise<CollectionQuality> {
  const dataset = await loadDataset(loupe, collection.name, collection.docs)
  for (const { text } of collection.queries.slice(0, WARM_UP_QUERIES))
    await retrieveSegments(loupe, dataset, text, METRICS_DEPTH)
  const durationsMs: number[] = []
  const cpuMs = readCpuMs(loupe)
  const results: QueryResult[] = []
  for (const query of collection.queries) {
    const began = performance.now()
    const segments = await retrieveSegments(loupe, dataset, query.text, METRICS_DEPTH)
    durationsMs.push(performance.now() - began)
    results.push({ query, segments })
  }
  const cpuMsPerQuery = (readCpuMs(loupe) - cpuMs) / collection.queries.length
  return {
    collection,
    ranking: averageRankingMetrics(
      results.map(({ query, segments }) =>
        computeRankingMetrics(
          segments.map(({ id }) => id),
          findRelevant(query.rel),
        ),
      ),
    ),
    baselines: measureBaselines(collection),
    dataset,
    durationsMs,
    cpuMsPerQuery,
    shortLists: results.filter(({ segments }) => segments.length < METRICS_DEPTH).length,
    answers: measureAnswers(collection, results),
    foreign: await measureForeign(loupe, dataset, collection, all),
  }
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
  let gold = 0
  let answered = 0
  let withOthers = 0
  let answeredByOthers = 0
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
  loupe: LoupeProcess,
  dataset: CollectionDataset,
  collection: RetrievalCollection,
  all: readonly RetrievalCollection[],
): Promise<CollectionQuality['foreign']> {
  const partners = all.filter((other) => other !== collection && toScript(other.lang) === toScript(collection.lang))
  const queries = partners.flatMap((partner) => partner.queries)
  if (queries.length === 0) return null
  const step = Math.max(1, queries.length / MAX_FOREIGN_QUERIES)
  let asked = 0
  let answered = 0
  for (let index = 0; index < queries.length; index += step) {
    const text = queries[Math.floor(index)]?.text ?? ''
    const answer = answerFrom(text, await retrieveSegments(loupe, dataset, text, METRICS_DEPTH))
    asked++
    if (isAnswered(text, answer)) answered++
  }
  return { names: partners.map(({ name }) => name), share: answered / asked }
}

/** Language and script: `zh` and `zh-Hant` share no words. */
function toScript(lang: string): string {
  const { language, script } = new Intl.Locale(lang).maximize()
  return `${language}-${script}`
}
