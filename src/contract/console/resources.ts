import { z } from 'zod'
import { endpoint, Id, RESOURCE_KINDS } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'

/** Kinds of ids: of platform resources, and of the console's own records. */
export const ID_LOOKUP_KINDS = [...RESOURCE_KINDS, 'run', 'call', 'batch', 'app', 'workspace'] as const

/** Limit of counting and of numbered pages. Use the cursor (`before` = `next`) to read everything. */
export const MAX_COUNTED_RESOURCES = 10_000
export const ResourceQuery = z.strictObject({
  kind: z.enum(RESOURCE_KINDS).optional(),
  workspace: Id.optional(),
  parent: z.string().max(255).optional(),
  id: z.string().max(255).optional(),
  /** Words of the label, or a prefix of the id. */
  q: z.string().max(255).optional(),
})
export type ResourceQuery = z.output<typeof ResourceQuery>

export const IdLookupResult = z.object({
  kind: z.enum(ID_LOOKUP_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  /** Its parents, innermost first: the segment, document and dataset of a child chunk; the app of a conversation. */
  holders: z.array(z.object({ kind: z.string(), id: z.string() })),
  /** The last run of this console that named it. */
  run: z.string().nullable(),
})
export type IdLookupResult = z.output<typeof IdLookupResult>

export const idLookupEndpoints = {
  /** All resources that this console knows by an id, of any kind and in any workspace. */
  lookupId: endpoint({
    method: 'GET',
    path: '/api/id-lookup',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ id: z.string().trim().min(1).max(255) }),
    reply: z.object({ data: z.array(IdLookupResult), total: z.number() }),
    tags: ['resources', 'calls'],
  }),
  /**
   * The documents of a dataset found by questions of the last `days` that this console recorded: hits of retrieval
   * tests, sources of answers; and the apps whose answers cited the dataset.
   */
  listRetrievedDocuments: endpoint({
    method: 'GET',
    path: '/api/retrieved-documents',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id,
      dataset: z.string().min(1).max(255),
      days: z.coerce.number().int().min(1).max(365),
    }),
    reply: z.object({
      data: z.array(z.object({ id: z.string() })),
      total: z.number(),
      /** The ids of their keys. */
      apps: z.array(z.string()),
      /** The number of questions that were read, and whether these are all of those days. */
      questions: z.number(),
      is_complete: z.boolean(),
    }),
    tags: ['calls'],
  }),
}

export const Resource = z.object({
  kind: z.enum(RESOURCE_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  parent: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
  /** Its last record from the platform; null if only its id was seen. */
  payload: z.unknown(),
})
export type Resource = z.output<typeof Resource>

export const resourceEndpoints = {
  listResources: endpoint({
    method: 'GET',
    path: '/api/resources',
    key: 'none',
    permission: 'read',
    query: ResourceQuery.extend({
      page: shape.pageParam,
      limit: shape.limitParam,
      /** `next` of the previous page, in place of a page number. */
      before: z
        .string()
        .max(300)
        .regex(/^\d{1,15}_./, { error: 'must be the `next` of a page' })
        .optional(),
    }),
    /**
     * Sorted by last seen, newest first. `total` counts up to `MAX_COUNTED_RESOURCES`; `total_capped` means that there
     * are more.
     */
    reply: z.object({
      data: z.array(Resource),
      total: z.number(),
      total_capped: z.boolean(),
      page: z.number(),
      limit: z.number(),
      has_more: z.boolean(),
      /** Null on the last page, and in searches. */
      next: z.string().nullable(),
    }),
    tags: ['resources', 'datasets', 'documents', 'segments', 'child_chunks', 'conversations', 'annotations'],
  }),
  adoptResource: endpoint({
    method: 'POST',
    path: '/api/resources',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      kind: z.enum(RESOURCE_KINDS),
      id: Id,
      workspace: Id,
      label: z.string().trim().min(1).max(255).optional(),
      parent: z.string().max(255).optional(),
    }),
    reply: Resource,
    invalidates: ['resources'],
  }),
}
