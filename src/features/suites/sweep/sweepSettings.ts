import type { SweepValues } from '#contract/console/experiments/sweeps.ts'
import type { TestSettings } from '../../knowledge/retrieval/testSettings.ts'

/** The values of the form, lists separated by commas; an empty field keeps the dataset's value. */
export interface SweepForm {
  search_methods: string[]
  top_k: string
  score_threshold: string
  weights: string
  chunk_tokens: string
}

export const EMPTY_SWEEP_FORM: SweepForm = {
  search_methods: [],
  top_k: '2, 4, 8',
  score_threshold: '',
  weights: '',
  chunk_tokens: '',
}

/** The bounds of each list, both included. */
const LIST_BOUNDS = {
  top_k: [1, 100],
  score_threshold: [0, 1],
  weights: [0, 1],
  chunk_tokens: [50, 4_000],
} as const
export type SweepListField = keyof typeof LIST_BOUNDS
export const SWEEP_LIST_FIELDS = Object.keys(LIST_BOUNDS) as SweepListField[]

/** The numbers of a list; null if one of them is invalid. */
export function parseSweepList(field: SweepListField, text: string): number[] | null {
  const [min, max] = LIST_BOUNDS[field]
  const isWhole = field === 'top_k' || field === 'chunk_tokens'
  const numbers = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [Number(part)]))
  const areValid = numbers.every((number) => number >= min && number <= max && (!isWhole || Number.isInteger(number)))
  return areValid ? [...new Set(numbers)] : null
}

/**
 * Every combination of the values, after the current settings. Other chunks can only be estimated, so the current
 * chunks are estimated too, for comparison. Null if a list is invalid.
 */
export function toSweepValues(form: SweepForm): SweepValues[] | null {
  const lists = SWEEP_LIST_FIELDS.map((field) => parseSweepList(field, form[field]))
  const [topKs, thresholds, weights, chunks] = lists
  if (!topKs || !thresholds || !weights || !chunks) return null
  const methods = orUnset(form.search_methods)
  const combined = methods.flatMap((search_method) =>
    orUnset(topKs).flatMap((top_k) =>
      orUnset(thresholds).flatMap((score_threshold) =>
        // Only a hybrid search has weights.
        orUnset(search_method === undefined || search_method === 'hybrid_search' ? weights : []).map((weight) =>
          toRetrievalValues({ search_method, top_k, score_threshold, weights: weight }),
        ),
      ),
    ),
  )
  const ranked = toUnique([{}, ...combined])
  const sizes = toUnique([{}, ...topKs.map((top_k) => ({ top_k }))])
  return [
    ...ranked.map((values) => ({ ...values, chunk_tokens: null, is_estimate: false })),
    ...(chunks.length > 0 ? [null, ...chunks] : []).flatMap((chunk_tokens) =>
      sizes.map((values) => ({ ...values, chunk_tokens, is_estimate: true })),
    ),
  ]
}

const orUnset = <Value>(values: readonly Value[]): readonly (Value | undefined)[] =>
  values.length > 0 ? values : [undefined]

type RetrievalValues = Omit<SweepValues, 'chunk_tokens' | 'is_estimate'>

/** Without those that are not set. */
const toRetrievalValues = (values: { [Name in keyof RetrievalValues]: RetrievalValues[Name] | undefined }) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as RetrievalValues

const toUnique = (settings: readonly RetrievalValues[]): RetrievalValues[] => [
  ...new Map(settings.map((one) => [JSON.stringify(one), one])).values(),
]

/** The fields of the retrieval form that differ from the dataset's. */
export const toTestSettings = ({ search_method, top_k, score_threshold, weights }: SweepValues): TestSettings => ({
  ...(search_method === undefined ? {} : { search_method }),
  ...(top_k === undefined ? {} : { top_k: String(top_k) }),
  ...(score_threshold === undefined
    ? {}
    : { score_threshold_enabled: 'true', score_threshold: String(score_threshold) }),
  ...(weights === undefined ? {} : { weights: String(weights) }),
})
