import type { z } from 'zod'
import type { RetrievalModel } from '#contract/platform/schemas.ts'
import { parseBooleanField, parseNumberField, parseTextField } from '../../../components/forms/fieldParsers.ts'

export type RetrievalSettings = z.output<typeof RetrievalModel>

/**
 * The two shapes of a retrieval model. `interface`: `weights` is a number and `reranking_mode` an object, as
 * documented. `upstream`: `weights` is an object and `reranking_mode` a string next to `reranking_model`. A platform
 * that accepts one refuses the other; the members of a dataset differ too.
 */
export const RETRIEVAL_DIALECTS = ['interface', 'upstream'] as const
export type RetrievalDialect = (typeof RETRIEVAL_DIALECTS)[number]

/** The shape that a platform uses, from its replies; null if unknown. */
export function detectRetrievalDialect(
  records: readonly (RetrievalSettings | null | undefined)[],
): RetrievalDialect | null {
  for (const one of records) {
    if (typeof one?.weights === 'number' || isObject(one?.reranking_mode)) return 'interface'
    if (isObject(one?.weights) || typeof one?.reranking_mode === 'string') return 'upstream'
  }
  return null
}

/** A retrieval model as typed. `weights` is the share of the semantic score in a hybrid search, 0 to 1. */
export const emptyRetrievalForm = {
  dialect: '',
  search_method: '',
  top_k: '',
  score_threshold_enabled: '',
  score_threshold: '',
  reranking_enable: '',
  reranking_provider_name: '',
  reranking_model_name: '',
  weights: '',
}
export type RetrievalForm = typeof emptyRetrievalForm

/** Economy datasets have no vectors: every other method finds nothing in them. */
export const ECONOMY_SEARCH_METHOD = 'keyword_search'
const DEFAULT_TOP_K = 4

/** The retrieval form with which an economy dataset finds anything; platforms require the four fields together. */
export const toEconomyForm = (form: RetrievalForm): RetrievalForm => ({
  ...form,
  search_method: ECONOMY_SEARCH_METHOD,
  top_k: form.top_k || String(DEFAULT_TOP_K),
  score_threshold_enabled: form.score_threshold_enabled || 'false',
  reranking_enable: form.reranking_enable || 'false',
})

/**
 * `retrieval_model` of a query to an economy dataset. Platforms require all four fields together, and replace the
 * stored settings with the ones of the query, so the stored values are repeated.
 */
export const toEconomyQuery = (stored: RetrievalSettings | null | undefined): RetrievalSettings => ({
  search_method: ECONOMY_SEARCH_METHOD,
  reranking_enable: false,
  top_k: stored?.top_k ?? DEFAULT_TOP_K,
  score_threshold_enabled: false,
})

/** What a form has that sets how passages are found: operations 1, 2 and 3 have these three fields. */
export interface RetrievalSettingsForm {
  indexing_technique: string
  embedding_model: string
  embedding_model_provider: string
  retrieval_model: RetrievalForm
}

/** The form of what the platform answered, in whichever shape. */
export function toRetrievalForm(given: RetrievalSettings | null | undefined): RetrievalForm {
  if (!given) return emptyRetrievalForm
  const reranker = isObject(given.reranking_mode) ? given.reranking_mode : given.reranking_model
  return {
    ...emptyRetrievalForm,
    search_method: given.search_method ?? '',
    top_k: toFieldText(given.top_k),
    score_threshold_enabled: toFieldText(given.score_threshold_enabled),
    score_threshold: toFieldText(given.score_threshold),
    reranking_enable: toFieldText(given.reranking_enable),
    reranking_provider_name: toFieldText(reranker?.['reranking_provider_name']),
    reranking_model_name: toFieldText(reranker?.['reranking_model_name']),
    weights: toFieldText(getVectorWeight(given.weights)),
  }
}

export interface RetrievalBodyOptions {
  dialect: RetrievalDialect
  /** The dataset's own embedding model, which upstream requires with the weights. */
  embedding?: { provider: string; model: string }
  /** The platform's last reply: fields that the form does not have are sent back unchanged. */
  previous?: RetrievalSettings | null | undefined
}

/** A retrieval model as sent, without empty fields. Undefined if nothing was entered. */
export function toRetrievalBody(
  form: RetrievalForm,
  writing: RetrievalBodyOptions,
): Record<string, unknown> | undefined {
  const plain = omitKeys({
    search_method: parseTextField(form.search_method),
    top_k: parseNumberField(form.top_k),
    score_threshold_enabled: parseBooleanField(form.score_threshold_enabled),
    score_threshold: parseNumberField(form.score_threshold),
    reranking_enable: parseBooleanField(form.reranking_enable),
  })
  const reranker = omitKeys({
    reranking_provider_name: parseTextField(form.reranking_provider_name),
    reranking_model_name: parseTextField(form.reranking_model_name),
  })
  const weight = parseNumberField(form.weights)
  if ([plain, reranker].every(isEmptyObject) && weight === undefined) return undefined
  if (writing.dialect === 'interface')
    return omitKeys({ ...plain, reranking_mode: isEmptyObject(reranker) ? undefined : reranker, weights: weight })
  return omitKeys({
    ...writing.previous,
    score_threshold_enabled: false,
    reranking_enable: false,
    ...plain,
    reranking_mode: isEmptyObject(reranker) ? (weight === undefined ? undefined : 'weighted_score') : 'reranking_model',
    reranking_model: isEmptyObject(reranker) ? null : reranker,
    weights: weight === undefined ? undefined : toUpstreamWeights(weight, writing),
  })
}

/** The shape of upstream's weights; the two sum to one. */
const toUpstreamWeights = (weight: number, { embedding }: RetrievalBodyOptions) => ({
  weight_type: 'customized',
  vector_setting: {
    vector_weight: weight,
    embedding_provider_name: embedding?.provider ?? '',
    embedding_model_name: embedding?.model ?? '',
  },
  keyword_setting: { keyword_weight: Number((1 - weight).toFixed(4)) },
})

function getVectorWeight(weights: RetrievalSettings['weights']): unknown {
  if (!isObject(weights)) return weights
  const vector = weights['vector_setting']
  return isObject(vector) ? vector['vector_weight'] : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0
const toFieldText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const omitKeys = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
