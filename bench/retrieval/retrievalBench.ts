import { join } from 'node:path'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { SHARED_DATA } from '#support/requirements.ts'
import { openPlatform } from '../../checks/kill/consoleClient.ts'
import { type BenchOptions, type Figure, percentile, toFigure } from '../figures.ts'
import { readCollections } from './retrievalCollections.ts'
import { type CollectionQuality, KNOWLEDGE_KEY, measureQuality } from './retrievalQuality.ts'

/** Goals by the name of the collection; other collections have none. */
const NDCG_GOALS: Readonly<Record<string, number>> = {
  cranfield: 0.38,
  'xquad-en': 0.972,
  'xquad-zh': 0.968,
  'xquad-de': 0.948,
  'xquad-ru': 0.945,
}
const ANSWER_GOALS: Readonly<Record<string, number>> = { 'xquad-en': 0.84, 'xquad-de': 0.78 }
const MAX_FOREIGN_SHARE = 0.1
const MIN_DOCUMENTS_PER_SECOND = 100
/** In fewer documents the first ones, before the code is compiled, weigh too much for the goal. */
const MIN_DOCUMENTS_OF_INDEXING_GOAL = 1000

/**
 * What the built-in platform finds and answers on public collections, through its API, against a textbook BM25 and
 * minisearch over the same documents, and how long it takes.
 */
export async function runRetrievalBench({ collections: folder, only }: BenchOptions): Promise<Figure[]> {
  const all = readCollections(folder ?? join(SHARED_DATA, 'retrieval'))
  const unknown = only?.find((name) => !all.some((collection) => collection.name === name))
  if (unknown !== undefined)
    throw new Error(`There is no collection ${unknown}. There are ${all.map(({ name }) => name).join(', ')}.`)
  const loupe = await new LoupeProcess({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY }).start()
  try {
    const figures: Figure[] = []
    for (const collection of all.filter(({ name }) => only?.includes(name) ?? true)) {
      console.error(`retrieval: ${collection.name} ...`)
      const platform = { loupe, send: openPlatform(loupe, KNOWLEDGE_KEY) }
      figures.push(...toFigures(await measureQuality(platform, collection, all)))
    }
    return figures
  } finally {
    await loupe.remove()
  }
}

const RANKING_ROWS = [
  ['nDCG@10', 'ndcg'],
  ['MRR@10', 'reciprocalRank'],
  ['recall@10', 'recall'],
  ['hit@1', 'hitAt1'],
] as const

/** The rows of one collection. */
function toFigures({ collection, ranking, baselines, answers, foreign, ...times }: CollectionQuality): Figure[] {
  const { name, lang, docs, queries } = collection
  const label = `${name} (${lang}): `
  const figures = RANKING_ROWS.map(([what, metric]) => {
    const against = [...baselines].map(([other, metrics]) => `${other} ${metrics[metric].toFixed(3)}`).join(', ')
    const goal = metric === 'ndcg' ? minGoal(ranking.ndcg, NDCG_GOALS[name]) : undefined
    return toFigure(label + what, ranking[metric], '', { against, goal })
  })
  if (answers)
    figures.push(
      toFigure(`${label}answers that hold a gold text`, answers.gold, '', {
        goal: minGoal(answers.gold, ANSWER_GOALS[name]),
        against: `no sentence answers: ${answers.unanswered.toFixed(3)}`,
      }),
    )
  if (foreign)
    figures.push(
      toFigure(`${label}answered questions of ${foreign.names.join(', ')}`, foreign.share, '', {
        goal: `<= ${MAX_FOREIGN_SHARE}${foreign.share > MAX_FOREIGN_SHARE ? ' (missed)' : ''}`,
      }),
    )
  if (answers && answers.withoutArticle !== null)
    figures.push(
      toFigure(`${label}answered from other articles, the right one left out`, answers.withoutArticle, '', {
        against: foreign ? undefined : 'no other collection in this language',
      }),
    )
  const source = `${docs.length.toLocaleString('en')} documents, ${queries.length} queries, ${times.shortLists} lists shorter than 10`
  const speed = times.documentsPerSecond
  return [
    ...figures,
    toFigure(`${label}one /retrieve at a time, p50`, percentile(times.durationsMs, 50), 'ms', {
      against: `${source}; ${times.cpuMsPerQuery.toFixed(1)} ms CPU each`,
    }),
    toFigure(`${label}one /retrieve at a time, p99`, percentile(times.durationsMs, 99), 'ms'),
    toFigure(`${label}indexed`, speed, 'documents/s', {
      goal: docs.length < MIN_DOCUMENTS_OF_INDEXING_GOAL ? undefined : minGoal(speed, MIN_DOCUMENTS_PER_SECOND),
      against: `${times.cpuMsPerDocument.toFixed(1)} ms CPU each`,
    }),
  ]
}

/** A missed goal is marked as such. */
const minGoal = (value: number, limit: number | undefined): string | undefined =>
  limit === undefined ? undefined : `>= ${limit}${value >= limit ? '' : ' (missed)'}`
