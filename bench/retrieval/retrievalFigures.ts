import type { Figure } from '../figure.ts'
import { percentile } from '../percentile.ts'
import type { LoadedDataset } from './knowledgeClient.ts'
import type { CollectionQuality } from './retrievalQuality.ts'

export interface Goal {
  comparison: '>=' | '<='
  limit: number
}

export const minGoal = (limit: number): Goal => ({ comparison: '>=', limit })
export const maxGoal = (limit: number): Goal => ({ comparison: '<=', limit })

/** Goals by the name of the collection; other collections have none. */
const NDCG_GOALS: Readonly<Record<string, Goal>> = {
  cranfield: minGoal(0.38),
  'xquad-en': minGoal(0.972),
  'xquad-zh': minGoal(0.968),
  'xquad-de': minGoal(0.948),
  'xquad-ru': minGoal(0.945),
}
const ANSWER_GOALS: Readonly<Record<string, Goal>> = { 'xquad-en': minGoal(0.84), 'xquad-de': minGoal(0.78) }
const FOREIGN_GOAL = maxGoal(0.1)
export const INDEXING_GOAL = minGoal(100)
/** In fewer documents the first ones, before the code is compiled, weigh too much for the goal. */
const MIN_DOCUMENTS_OF_INDEXING_GOAL = 1000

/** The rows of one collection. */
export function toQualityFigures(quality: CollectionQuality): Figure[] {
  const { collection, ranking, baselines, answers, foreign, dataset, durationsMs, cpuMsPerQuery, shortLists } = quality
  const label = `${collection.name} (${collection.lang}): `
  const rankingRows = (
    [
      ['nDCG@10', 'ndcg'],
      ['MRR@10', 'reciprocalRank'],
      ['recall@10', 'recall'],
      ['hit@1', 'hitAt1'],
    ] as const
  ).map(([what, metric]) =>
    toRetrievalFigure(`${label}${what}`, ranking[metric], '', {
      against: [...baselines].map(([name, metrics]) => `${name} ${metrics[metric].toFixed(3)}`).join(', '),
      goal: metric === 'ndcg' ? NDCG_GOALS[collection.name] : undefined,
    }),
  )
  const counts = `${collection.docs.length.toLocaleString('en')} documents, ${collection.queries.length} queries`
  return [
    ...rankingRows,
    ...(answers
      ? [
          toRetrievalFigure(`${label}answers that hold a gold text`, answers.gold, '', {
            goal: ANSWER_GOALS[collection.name],
            against: `no sentence answers: ${answers.unanswered.toFixed(3)}`,
          }),
        ]
      : []),
    ...(foreign
      ? [
          toRetrievalFigure(`${label}answered questions of ${foreign.names.join(', ')}`, foreign.share, '', {
            goal: FOREIGN_GOAL,
          }),
        ]
      : []),
    ...(answers && answers.withoutArticle !== null
      ? [
          toRetrievalFigure(
            `${label}answered from other articles, the right one left out`,
            answers.withoutArticle,
            '',
            foreign ? {} : { against: 'no other collection in this language' },
          ),
        ]
      : []),
    ...toLatencyFigures(label, durationsMs, {
      cpuMsPerQuery,
      source: `${counts}, ${shortLists} lists shorter than 10`,
    }),
    toIndexingFigure(label, dataset, {
      goal: collection.docs.length < MIN_DOCUMENTS_OF_INDEXING_GOAL ? undefined : INDEXING_GOAL,
    }),
  ]
}

/** Median and 99th percentile of `/retrieve`. */
export function toLatencyFigures(
  label: string,
  durationsMs: readonly number[],
  { cpuMsPerQuery, source, goal }: { cpuMsPerQuery: number; source: string; goal?: Goal },
): Figure[] {
  return [
    toRetrievalFigure(`${label}one /retrieve at a time, p50`, percentile(durationsMs, 50), 'ms', {
      goal,
      against: `${source}; ${cpuMsPerQuery.toFixed(1)} ms CPU each`,
    }),
    toRetrievalFigure(`${label}one /retrieve at a time, p99`, percentile(durationsMs, 99), 'ms'),
  ]
}

export function toIndexingFigure(
  label: string,
  { documentsPerSecond, cpuMsPerDocument }: LoadedDataset,
  { source, goal }: { source?: string; goal: Goal | undefined },
): Figure {
  const cpu = `${cpuMsPerDocument.toFixed(1)} ms CPU each`
  return toRetrievalFigure(`${label}indexed`, documentsPerSecond, 'documents/s', {
    goal,
    against: source === undefined ? cpu : `${source}; ${cpu}`,
  })
}

/** A missed goal is marked as such. */
export function toRetrievalFigure(
  what: string,
  value: number,
  unit: string,
  { against, goal }: { against?: string; goal?: Goal | undefined } = {},
): Figure {
  const isMet = goal === undefined || (goal.comparison === '>=' ? value >= goal.limit : value <= goal.limit)
  return {
    bench: 'retrieval',
    what,
    value,
    unit,
    ...(against === undefined ? {} : { against }),
    ...(goal === undefined ? {} : { goal: `${goal.comparison} ${goal.limit}${isMet ? '' : ' (missed)'}` }),
  }
}
