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
import type { z } from 'zod'

/** The form of a dataset as typed, named as in operations 1 and 2. */
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

/** The body of operation 1: empty fields are omitted, and so are the external ids without a provider. */
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
  // Reading an economy dataset shows `keyword_search` even if none is stored, so a comparison is not possible.
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

/** Requirements of every platform, so that errors show at the field before a request. */
export const withRequiredFields = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine((body, context) => {
    const requireField = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const { provider, permission, partial_member_list, retrieval_model, ...rest } = body as Record<string, unknown>
    if (provider === 'external')
      for (const name of ['external_knowledge_api_id', 'external_knowledge_id'])
        if (!rest[name]) requireField([name], 'is required where the provider is external')
    if (permission === 'partial_members' && Array.isArray(partial_member_list) && partial_member_list.length === 0)
      requireField(['partial_member_list'], 'must have at least 1 member where the permission is partial_members')
    const retrieval = retrieval_model as Record<string, unknown> | undefined
    // Upstream checks the four fields of a retrieval model together; the two flags have a value of their own.
    if (retrieval && (typeof retrieval['weights'] === 'object' || typeof retrieval['reranking_mode'] === 'string'))
      for (const name of ['search_method', 'top_k'])
        if (retrieval[name] === undefined)
          requireField(['retrieval_model', name], 'is required with the other retrieval settings by this platform')
  }) as Schema

/** A field of a record that changed, or differs from the request. Values are the platform's. */
export interface DatasetChange {
  field: string
  before: unknown
  after: unknown
  /** What was sent for it; undefined where nothing was. */
  requested?: unknown
}

/** Fields that every save moves. */
const VOLATILE_FIELDS = ['updated_at', 'updated_by']
/** Fields that an answer may leave out or leave unread without meaning anything by it. */
const OPTIONAL_REPLY_FIELDS = ['embedding_available']

/**
 * Changes by the platform during a save: fields that changed unasked, and fields that did not get the requested
 * value.
 */
export function listPlatformChanges(
  before: DatasetRecord,
  sent: Record<string, unknown>,
  after: DatasetRecord,
): DatasetChange[] {
  const beforeFields = flattenRecord(before)
  const afterFields = flattenRecord(after)
  const requestedFields = flattenRecord({
    ...sent,
    ...('retrieval_model' in sent ? { retrieval_model_dict: sent['retrieval_model'] } : {}),
  })
  return Object.keys(afterFields)
    .filter(
      (field) => !VOLATILE_FIELDS.includes(field) && !OPTIONAL_REPLY_FIELDS.includes(field) && field in beforeFields,
    )
    .filter((field) => {
      if (isSameValue(beforeFields[field], afterFields[field]) && !(field in requestedFields)) return false
      return field in requestedFields ? !isSameValue(requestedFields[field], afterFields[field]) : true
    })
    .map((field) => ({
      field,
      before: beforeFields[field],
      after: afterFields[field],
      ...(field in requestedFields ? { requested: requestedFields[field] } : {}),
    }))
}

/** One level of `retrieval_model_dict` opened, so that a change in it has a name of its own. */
function flattenRecord(record: Record<string, unknown>): Record<string, unknown> {
  const { retrieval_model_dict: retrieval, retrieval_model: _sent, ...rest } = record
  const opened = Object.entries((retrieval ?? {}) as Record<string, unknown>).map(([name, value]) => [
    `retrieval_model.${name}`,
    value,
  ])
  return { ...rest, ...Object.fromEntries(opened) }
}

/** Members are sent as ids or as objects and answered as ids. The order of an object's keys has no meaning. */
const isSameValue = (one: unknown, other: unknown): boolean => toComparable(one) === toComparable(other)
const toComparable = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, one: unknown) => {
    if (one === null || typeof one !== 'object' || Array.isArray(one)) return one
    if ('user_id' in one) return one.user_id
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
