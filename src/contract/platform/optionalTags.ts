import { z } from 'zod'
import { endpoint, Id, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { DeleteReply, EmptyReply } from './optionalReplies.ts'

/** A tag of datasets. `binding_count` is how many datasets have it, as a string. */
export const Tag = shape.looseRecord(
  { id: shape.stringField, name: shape.stringField },
  { type: shape.stringField, binding_count: z.union([shape.stringField, z.number()]) },
)
export type Tag = z.output<typeof Tag>

const tagName = z.string().trim().min(1).max(50)
const tagIds = z.array(Id).min(1).max(100)
/** Which tags a dataset gets. */
export const TagBinding = z.strictObject({ tag_ids: tagIds, target_id: Id })
/** Tags to remove from a dataset: `tag_id` is for releases up to 1.12, which accept one at a time. */
export const TagUnbinding = z
  .strictObject({ tag_ids: tagIds.optional(), tag_id: Id.optional(), target_id: Id })
  .refine(({ tag_ids, tag_id }) => tag_ids ?? tag_id, { path: ['tag_ids'], error: 'is required' })

const toBoundDatasetRefs = (body: unknown): ResourceRef[] => {
  const target = z.looseObject({ target_id: Id }).safeParse(body)
  return target.success ? [{ kind: 'dataset', id: target.data.target_id }] : []
}

export const optionalTagEndpoints = {
  /** Lists the tags of the workspace, as a bare list. */
  listTags: endpoint({
    method: 'GET',
    path: '/datasets/tags',
    key: 'knowledge',
    permission: 'read',
    reply: z.array(Tag),
    tags: ['dataset_tags'],
    optional: true,
  }),
  /** Creates a tag; its name must be new. */
  createTag: endpoint({
    method: 'POST',
    path: '/datasets/tags',
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({ name: tagName }),
    reply: Tag,
    invalidates: ['dataset_tags'],
    optional: true,
  }),
  updateTag: endpoint({
    method: 'PATCH',
    path: '/datasets/tags',
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({ tag_id: Id, name: tagName }),
    reply: Tag,
    invalidates: ['dataset_tags', 'datasets'],
    optional: true,
  }),
  /** Deletes a tag and removes it from every dataset; the id is in the body of the DELETE. */
  deleteTag: endpoint({
    method: 'DELETE',
    path: '/datasets/tags',
    key: 'knowledge',
    permission: 'edit',
    body: z.strictObject({ tag_id: Id }),
    reply: DeleteReply,
    invalidates: ['dataset_tags', 'datasets'],
    optional: true,
  }),
  /** Adds tags to a dataset; existing ones are not changed. */
  bindTags: endpoint({
    method: 'POST',
    path: '/datasets/tags/binding',
    key: 'knowledge',
    permission: 'edit',
    body: TagBinding,
    reply: EmptyReply,
    resources: (_reply, { body }) => toBoundDatasetRefs(body),
    invalidates: ['dataset_tags', 'datasets'],
    optional: true,
  }),
  unbindTags: endpoint({
    method: 'POST',
    path: '/datasets/tags/unbinding',
    key: 'knowledge',
    permission: 'edit',
    body: TagUnbinding,
    reply: EmptyReply,
    resources: (_reply, { body }) => toBoundDatasetRefs(body),
    invalidates: ['dataset_tags', 'datasets'],
    optional: true,
  }),
  readDatasetTags: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id/tags',
    key: 'knowledge',
    permission: 'read',
    reply: shape.looseRecord(
      { data: z.array(shape.looseRecord({ id: shape.stringField }, { name: shape.stringField })) },
      { total: shape.integerField },
    ),
    resources: (_reply, { params }) => [{ kind: 'dataset', id: params.dataset_id }],
    tags: ['dataset_tags'],
    optional: true,
  }),
}
