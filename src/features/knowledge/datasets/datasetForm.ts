import { compactObject, parseTextField } from '../../../components/forms/fieldParsers.ts'
import type { DatasetRecord } from '../useDataset.ts'
import {
  emptyRetrievalForm,
  toEconomyForm,
  toRetrievalForm,
  type RetrievalSettings,
  type RetrievalDialect,
  toRetrievalBody,
} from '../retrieval/retrievalModelForm.ts'

/** The form of a dataset as it is typed, under the names of operations 1 and 2. */
export const emptyDatasetForm = {
  name: '',
  description: '',
  indexing_technique: '',
  permission: '',
  partial_member_list: [] as string[],
  provider: '',
  external_knowledge_api_id: '',
  external_knowledge_id: '',
  embedding_model: '',
  embedding_model_provider: '',
  retrieval_model: emptyRetrievalForm,
}
export type DatasetForm = typeof emptyDatasetForm

/** The form of a record. */
export function toDatasetForm(record: DatasetRecord): DatasetForm {
  const external = record['external_knowledge_info'] as Record<string, unknown> | null | undefined
  return {
    ...emptyDatasetForm,
    name: record.name ?? '',
    description: record.description ?? '',
    indexing_technique: record.indexing_technique ?? '',
    permission: record.permission ?? '',
    partial_member_list: record.partial_member_list ?? [],
    provider: record.provider ?? '',
    external_knowledge_api_id: String(external?.['external_knowledge_api_id'] ?? ''),
    external_knowledge_id: String(external?.['external_knowledge_id'] ?? ''),
    embedding_model: record.embedding_model ?? '',
    embedding_model_provider: record.embedding_model_provider ?? '',
    retrieval_model: toRetrievalForm(record.retrieval_model_dict),
  }
}

/** The body of operation 1: what was left empty is not in it, and the external ids only where the provider is. */
export function toCreateBody(form: DatasetForm, dialect: RetrievalDialect | null): Record<string, unknown> {
  const isExternal = form.provider === 'external'
  return {
    name: form.name,
    ...compactObject({
      ...toSettingsBody(form),
      description: parseTextField(form.description),
      provider: parseTextField(form.provider),
      external_knowledge_api_id: isExternal ? parseTextField(form.external_knowledge_api_id) : undefined,
      external_knowledge_id: isExternal ? parseTextField(form.external_knowledge_id) : undefined,
      retrieval_model: toRetrievalSettingsBody(form, dialect, null),
    }),
  }
}

/**
 * The body of operation 2: only what differs from `before`, since a platform applies every field that is present. Members
 * go with the permission that has them.
 */
export function toUpdateBody(
  form: DatasetForm,
  before: DatasetForm,
  {
    dialect,
    lastRetrieval,
  }: { dialect: RetrievalDialect | null; lastRetrieval?: RetrievalSettings | null | undefined },
): Record<string, unknown> {
  const body = (values: DatasetForm) => ({
    ...toSettingsBody(values),
    name: values.name,
    description: values.description,
    retrieval_model: toRetrievalSettingsBody(values, dialect, lastRetrieval),
    partial_member_list: values.permission === 'partial_members' ? toMembersBody(values, dialect) : undefined,
  })
  const [now, then] = [body(form), body(before)] as Record<string, unknown>[]
  const changed = Object.entries(now ?? {}).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(then?.[name]),
  )
  const update = Object.fromEntries(changed)
  // Reading an economy dataset shows `keyword_search` even where none is stored, so a comparison cannot tell.
  if (changed.length > 0 && form.indexing_technique === 'economy') update['retrieval_model'] = now?.['retrieval_model']
  // A list without its permission, or the permission without its list, is refused.
  if ('permission' in update && form.permission === 'partial_members')
    update['partial_member_list'] = toMembersBody(form, dialect)
  return update
}

const toSettingsBody = (form: DatasetForm) => ({
  indexing_technique: parseTextField(form.indexing_technique),
  permission: parseTextField(form.permission),
  embedding_model: parseTextField(form.embedding_model),
  embedding_model_provider: parseTextField(form.embedding_model_provider),
})

const getDialect = (form: DatasetForm, detectedDialect: RetrievalDialect | null): RetrievalDialect =>
  (form.retrieval_model.dialect as RetrievalDialect | '') || (detectedDialect ?? 'interface')

const toRetrievalSettingsBody = (
  form: DatasetForm,
  dialect: RetrievalDialect | null,
  before: RetrievalSettings | null | undefined,
) =>
  toRetrievalBody(form.indexing_technique === 'economy' ? toEconomyForm(form.retrieval_model) : form.retrieval_model, {
    dialect: getDialect(form, dialect),
    previous: before,
    embedding: { provider: form.embedding_model_provider, model: form.embedding_model },
  })

/** The interface has ids in words, upstream an object each. */
const toMembersBody = (form: DatasetForm, dialect: RetrievalDialect | null) =>
  getDialect(form, dialect) === 'interface'
    ? form.partial_member_list
    : form.partial_member_list.map((user_id) => ({ user_id }))
