import type { DatasetRecord } from '../useDataset.ts'

/** A field of a record that is not as it was, or not as it was asked to be. Values are as the platform has them. */
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
