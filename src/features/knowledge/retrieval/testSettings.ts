import { RetrievalModel } from '#contract/platform/schemas.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import type { DatasetRecord } from '../useDataset.ts'
import {
  emptyRetrievalForm,
  type RetrievalDialect,
  type RetrievalForm,
  type RetrievalSettings,
  type RetrievalSettingsForm,
  toEconomyQuery,
  toRetrievalBody,
  toRetrievalForm,
} from './retrievalModelForm.ts'

/** The fields of a form that differ from the dataset's, by name. */
export type TestSettings = Partial<RetrievalForm>

const FIELD_NAMES = Object.keys(emptyRetrievalForm) as (keyof RetrievalForm)[]

/** Settings in the URL, `search_method=hybrid_search&top_k=8`. Unknown fields are skipped. */
export function parseTestSettings(text: string | undefined): TestSettings {
  const given = new URLSearchParams(text)
  return Object.fromEntries(FIELD_NAMES.filter((name) => given.has(name)).map((name) => [name, given.get(name) ?? '']))
}

export const formatTestSettings = (settings: TestSettings): string =>
  new URLSearchParams(
    FIELD_NAMES.flatMap((name) => {
      const value = settings[name]
      return value === undefined ? [] : [[name, value]]
    }),
  ).toString()

/** The form of a test: the settings of the dataset, and those of the test over them. */
export const toTestForm = (record: DatasetRecord | null, settings: TestSettings): RetrievalSettingsForm => ({
  indexing_technique: record?.indexing_technique ?? '',
  embedding_model: record?.embedding_model ?? '',
  embedding_model_provider: record?.embedding_model_provider ?? '',
  retrieval_model: { ...toRetrievalForm(record?.retrieval_model_dict), ...settings },
})

/** What of a form differs from the dataset's settings. */
export function toTestSettings(record: DatasetRecord | null, form: RetrievalForm): TestSettings {
  const stored = toRetrievalForm(record?.retrieval_model_dict)
  return Object.fromEntries(FIELD_NAMES.filter((name) => form[name] !== stored[name]).map((name) => [name, form[name]]))
}

/**
 * `retrieval_model` of a test. Undefined where the settings of the dataset apply; otherwise the whole model, since released
 * platforms replace the stored one by it.
 */
export function toTestModel(
  record: DatasetRecord | null,
  settings: TestSettings,
  dialect: RetrievalDialect | null,
): RetrievalSettings | undefined {
  const stored = record?.retrieval_model_dict
  const isEconomy = record?.indexing_technique === 'economy'
  if (Object.keys(settings).length === 0) return isEconomy ? toEconomyQuery(stored) : undefined
  const { retrieval_model } = toTestForm(record, settings)
  const chosen =
    retrieval_model.dialect === 'upstream' || retrieval_model.dialect === 'interface' ? retrieval_model.dialect : null
  const { embedding_model: model, embedding_model_provider: provider } = record ?? {}
  const body = toRetrievalBody(retrieval_model, {
    dialect: chosen ?? dialect ?? 'interface',
    previous: stored,
    ...(model && provider ? { embedding: { model, provider } } : {}),
  })
  return {
    reranking_enable: false,
    score_threshold_enabled: false,
    ...body,
    ...(isEconomy ? { search_method: toEconomyQuery(stored).search_method } : {}),
  }
}

/** What is wrong with settings, by the name of their field. */
export function findTestSettingErrors(model: RetrievalSettings | undefined): { path: string; message: string }[] {
  const result = RetrievalModel.safeParse(model ?? {})
  return result.success ? [] : (toInvalidProblem('retrieval_model', result.error).fields ?? [])
}
