import type { z } from 'zod'
import type { RetrievalModel } from '#contract/shapes.ts'
import { flagOf, numberOf, textOf } from '../fields/typed.ts'

export type Retrieval = z.output<typeof RetrievalModel>

/**
 * The two shapes of a retrieval model. `interface`: `weights` is a number and `reranking_mode` an object, as the interface
 * has it. `upstream`: `weights` is an object and `reranking_mode` a word beside `reranking_model`. A platform that takes
 * one refuses the other; the members of a dataset are written differently too.
 */
export const SPEECHES = ['interface', 'upstream'] as const
export type Speech = (typeof SPEECHES)[number]

/** Which of the two a platform speaks, by what it has answered; null where nothing tells. */
export function speechOf(answered: readonly (Retrieval | null | undefined)[]): Speech | null {
  for (const one of answered) {
    if (typeof one?.weights === 'number' || isObject(one?.reranking_mode)) return 'interface'
    if (isObject(one?.weights) || typeof one?.reranking_mode === 'string') return 'upstream'
  }
  return null
}

/** A retrieval model as it is typed. `weights` is the share of the meaning in a hybrid search, 0 to 1. */
export const emptyRetrieval = {
  speech: '',
  search_method: '',
  top_k: '',
  score_threshold_enabled: '',
  score_threshold: '',
  reranking_enable: '',
  reranking_provider_name: '',
  reranking_model_name: '',
  weights: '',
}
export type TypedRetrieval = typeof emptyRetrieval

/** What a form has that sets how passages are found: operations 1, 2 and 3 have these three fields. */
export interface TypedSettings {
  embedding_model: string
  embedding_model_provider: string
  retrieval_model: TypedRetrieval
}

/** The form of what the platform answered, in whichever shape. */
export function readRetrieval(given: Retrieval | null | undefined): TypedRetrieval {
  if (!given) return emptyRetrieval
  const reranker = isObject(given.reranking_mode) ? given.reranking_mode : given.reranking_model
  return {
    ...emptyRetrieval,
    search_method: given.search_method ?? '',
    top_k: shown(given.top_k),
    score_threshold_enabled: shown(given.score_threshold_enabled),
    score_threshold: shown(given.score_threshold),
    reranking_enable: shown(given.reranking_enable),
    reranking_provider_name: shown(reranker?.['reranking_provider_name']),
    reranking_model_name: shown(reranker?.['reranking_model_name']),
    weights: shown(vectorWeight(given.weights)),
  }
}

export interface Writing {
  speech: Speech
  /** The dataset's own embedding model, which upstream wants beside the weights. */
  embedding?: { provider: string; model: string }
  /** What the platform answered last: fields that the form does not have are sent back as they came. */
  before?: Retrieval | null | undefined
}

/** A retrieval model as it is sent: what was left empty is not in it. Undefined where nothing was given at all. */
export function writeRetrieval(typed: TypedRetrieval, writing: Writing): Record<string, unknown> | undefined {
  const plain = without({
    search_method: textOf(typed.search_method),
    top_k: numberOf(typed.top_k),
    score_threshold_enabled: flagOf(typed.score_threshold_enabled),
    score_threshold: numberOf(typed.score_threshold),
    reranking_enable: flagOf(typed.reranking_enable),
  })
  const reranker = without({
    reranking_provider_name: textOf(typed.reranking_provider_name),
    reranking_model_name: textOf(typed.reranking_model_name),
  })
  const weight = numberOf(typed.weights)
  if ([plain, reranker].every(isBare) && weight === undefined) return undefined
  if (writing.speech === 'interface')
    return without({ ...plain, reranking_mode: isBare(reranker) ? undefined : reranker, weights: weight })
  return without({
    ...writing.before,
    score_threshold_enabled: false,
    reranking_enable: false,
    ...plain,
    reranking_mode: isBare(reranker) ? (weight === undefined ? undefined : 'weighted_score') : 'reranking_model',
    reranking_model: isBare(reranker) ? null : reranker,
    weights: weight === undefined ? undefined : weightsOf(weight, writing),
  })
}

/** The shape of upstream's weights; the two sum to one. */
const weightsOf = (weight: number, { embedding }: Writing) => ({
  weight_type: 'customized',
  vector_setting: {
    vector_weight: weight,
    embedding_provider_name: embedding?.provider ?? '',
    embedding_model_name: embedding?.model ?? '',
  },
  keyword_setting: { keyword_weight: Number((1 - weight).toFixed(4)) },
})

function vectorWeight(weights: Retrieval['weights']): unknown {
  if (!isObject(weights)) return weights
  const vector = weights['vector_setting']
  return isObject(vector) ? vector['vector_weight'] : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isBare = (value: object): boolean => Object.keys(value).length === 0
const shown = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const without = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
