import type { z } from 'zod'
import type { RetrievalModel } from '#contract/platform/schemas.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import { parseConditions } from './metadataConditions.ts'

export const SEARCH_METHODS = ['semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search'] as const
export type SearchMethod = (typeof SEARCH_METHODS)[number]

/** A retrieval model as it is stored: one shape for the two of the interface and upstream. */
export interface RetrievalSettings {
  search_method: SearchMethod
  reranking_enable: boolean
  reranking_provider_name: string
  reranking_model_name: string
  top_k: number
  score_threshold_enabled: boolean
  score_threshold: number
  /** Share of the semantic score in a hybrid search, 0 to 1; the keyword score has the rest. */
  vector_weight: number
  /** Fields with more than one form, or without a default, as last written; absent before that. */
  written?: WrittenRetrievalFields
}

const WRITTEN_FIELDS = [
  'reranking_mode',
  'reranking_model',
  'weights',
  'score_threshold',
  'metadata_filtering_conditions',
] as const
type WrittenRetrievalFields = Partial<Pick<RetrievalModelInput, (typeof WRITTEN_FIELDS)[number]>>

export const DEFAULT_RETRIEVAL_SETTINGS: RetrievalSettings = {
  search_method: 'hybrid_search',
  reranking_enable: false,
  reranking_provider_name: '',
  reranking_model_name: '',
  top_k: 4,
  score_threshold_enabled: false,
  score_threshold: 0,
  vector_weight: 0.7,
}

type RetrievalModelInput = z.output<typeof RetrievalModel>

/**
 * Reads a retrieval model in the interface's shape (`reranking_mode` an object, `weights` a number) or upstream's
 * (`reranking_mode` a string next to `reranking_model`, `weights` an object). Missing fields keep the values of `base`.
 * @throws PlatformError 400 for an unknown search method, an invalid weight or an unknown metadata condition.
 */
export function parseRetrievalSettings(
  given: RetrievalModelInput | null | undefined,
  base: RetrievalSettings = DEFAULT_RETRIEVAL_SETTINGS,
): RetrievalSettings {
  if (!given) return base
  // Conditions are stored as written; unknown ones would fail every search.
  parseConditions(given.metadata_filtering_conditions)
  const reranker = typeof given.reranking_mode === 'object' ? given.reranking_mode : given.reranking_model
  return {
    search_method: parseSearchMethod(given.search_method) ?? base.search_method,
    reranking_enable: given.reranking_enable ?? base.reranking_enable,
    reranking_provider_name: reranker?.reranking_provider_name ?? base.reranking_provider_name,
    reranking_model_name: reranker?.reranking_model_name ?? base.reranking_model_name,
    top_k: given.top_k ?? base.top_k,
    score_threshold_enabled: given.score_threshold_enabled ?? base.score_threshold_enabled,
    score_threshold: given.score_threshold ?? base.score_threshold,
    vector_weight: parseVectorWeight(given.weights) ?? base.vector_weight,
    written: toWrittenFields(given, base.written),
  }
}

function toWrittenFields(given: RetrievalModelInput, base: WrittenRetrievalFields = {}): WrittenRetrievalFields {
  const fields = WRITTEN_FIELDS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]])
  const written: WrittenRetrievalFields = { ...base, ...Object.fromEntries(fields) }
  // An object in `reranking_mode` names the reranker, so an earlier `reranking_model` is outdated.
  if (typeof given.reranking_mode === 'object' && given.reranking_mode && given.reranking_model === undefined)
    delete written.reranking_model
  return written
}

/**
 * The returned form: each field as last written. Before that, the interface's shape, with upstream's
 * `reranking_model`.
 */
export function toRetrievalModel(settings: RetrievalSettings) {
  const { reranking_provider_name, reranking_model_name } = settings
  const reranker = { reranking_provider_name, reranking_model_name }
  return {
    search_method: settings.search_method,
    reranking_enable: settings.reranking_enable,
    reranking_mode: reranker,
    reranking_model: reranker,
    top_k: settings.top_k,
    score_threshold_enabled: settings.score_threshold_enabled,
    score_threshold: settings.score_threshold,
    weights: settings.vector_weight,
    ...settings.written,
  }
}

function parseSearchMethod(given: string | null | undefined): SearchMethod | undefined {
  if (given === null || given === undefined) return undefined
  const method = SEARCH_METHODS.find((known) => known === given)
  if (!method) throw toInvalidParamError(`retrieval_model.search_method must be one of ${SEARCH_METHODS.join(', ')}`)
  return method
}

function parseVectorWeight(given: RetrievalModelInput['weights']): number | undefined {
  if (given === null || given === undefined || typeof given === 'number') return given ?? undefined
  const vector = parseWeight(given['vector_setting'], 'vector_weight')
  const keyword = parseWeight(given['keyword_setting'], 'keyword_weight')
  if (vector === undefined) return keyword === undefined ? undefined : 1 - keyword
  const sum = vector + (keyword ?? 1 - vector)
  return sum === 0 ? 0.5 : vector / sum
}

function parseWeight(setting: unknown, name: string): number | undefined {
  const weight = (setting as Record<string, unknown> | null | undefined)?.[name]
  if (weight === undefined || weight === null) return undefined
  if (typeof weight === 'number' && weight >= 0 && weight <= 1) return weight
  throw toInvalidParamError(`retrieval_model.weights ${name} must be a number from 0 to 1`)
}
