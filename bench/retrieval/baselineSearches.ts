import MiniSearch from 'minisearch'
import { createSegmenterTokenizer, createTextbookTokenizer, isUnspaced, type Tokenizer } from './baselineTokenizers.ts'
import { createOkapiIndex, type IndexedText, type Search } from './okapiIndex.ts'
import { averageRankingMetrics, computeRankingMetrics, METRICS_DEPTH, type RankingMetrics } from './rankingMetrics.ts'
import { findRelevant, type RetrievalCollection } from './retrievalCollections.ts'
import { truncateQuery } from './knowledgeClient.ts'

/** Metrics of other search engines over the same documents, by their names. */
export function measureBaselines({ lang, docs, queries }: RetrievalCollection): Map<string, RankingMetrics> {
  const searches: Record<string, Search> = {
    'textbook BM25': createOkapiIndex(docs, createTextbookTokenizer(lang)),
    minisearch: createMiniSearch(docs),
    ...(isUnspaced(docs.map(({ text }) => text).join(' '))
      ? { 'minisearch + Intl.Segmenter': createMiniSearch(docs, createSegmenterTokenizer(lang)) }
      : {}),
  }
  return new Map(
    Object.entries(searches).map(([name, search]) => [
      name,
      averageRankingMetrics(
        queries.map(({ text, rel }) => computeRankingMetrics(search(truncateQuery(text)), findRelevant(rel))),
      ),
    ]),
  )
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
