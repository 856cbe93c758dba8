import type { DatasetRecord } from '../../wire/useDataset.ts'

/** A field of a record that is not as it was, or not as it was asked to be. Values are as the platform has them. */
export interface Change {
  field: string
  before: unknown
  after: unknown
  /** What was sent for it; undefined where nothing was. */
  asked?: unknown
}

/** Fields that every save moves. */
const MOVING = ['updated_at', 'updated_by']
/** Fields that an answer may leave out or leave unread without meaning anything by it. */
const SILENT = ['embedding_available']

/** What a platform changed on its own when it saved: what moved unasked, and what did not become what it was asked to be. */
export function ownChanges(before: DatasetRecord, sent: Record<string, unknown>, after: DatasetRecord): Change[] {
  const was = flat(before)
  const is = flat(after)
  const asked = flat({
    ...sent,
    ...('retrieval_model' in sent ? { retrieval_model_dict: sent['retrieval_model'] } : {}),
  })
  return Object.keys(is)
    .filter((field) => !MOVING.includes(field) && !SILENT.includes(field) && field in was)
    .filter((field) => {
      if (isSame(was[field], is[field]) && !(field in asked)) return false
      return field in asked ? !isSame(asked[field], is[field]) : true
    })
    .map((field) => ({
      field,
      before: was[field],
      after: is[field],
      ...(field in asked ? { asked: asked[field] } : {}),
    }))
}

/** One level of `retrieval_model_dict` opened, so that a change in it has a name of its own. */
function flat(record: Record<string, unknown>): Record<string, unknown> {
  const { retrieval_model_dict: retrieval, retrieval_model: _sent, ...rest } = record
  const opened = Object.entries((retrieval ?? {}) as Record<string, unknown>).map(([name, value]) => [
    `retrieval_model.${name}`,
    value,
  ])
  return { ...rest, ...Object.fromEntries(opened) }
}

/** Members are sent as ids or as objects and answered as ids. */
const isSame = (one: unknown, other: unknown): boolean => plain(one) === plain(other)
const plain = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, one: unknown) =>
    one !== null && typeof one === 'object' && 'user_id' in one ? one.user_id : one,
  )
