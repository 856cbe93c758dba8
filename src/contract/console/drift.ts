import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'

/** What was seen and is not in the contract; and what is in it and was not seen, of operations, events, fields and words. */
export const DRIFT_KINDS = ['field', 'event', 'word', 'status', 'error', 'type', 'missing'] as const
export const UNSEEN_PART_KINDS = ['operation', 'reply', 'event', 'field', 'word'] as const

/** One way in which a platform differs from the contract. */
export const DriftRow = z.object({
  /** Made of operation, kind, event, path and value: the same in every workspace. */
  id: z.string(),
  workspace: z.string(),
  /** The entry of the contract, `chat.send`. */
  operation: z.string(),
  kind: z.enum(DRIFT_KINDS),
  /** The event in which it stood, or that is unknown; null outside a stream. */
  event: z.string().nullable(),
  /** With indices folded, `data[].status`; empty for the whole. */
  path: z.string(),
  /** The word, the status code, or how the shape of a refusal differs; null elsewhere. */
  value: z.string().nullable(),
  /** The first that came, cut; text that opens something is withheld. */
  sample: z.unknown(),
  count: z.number(),
  /** The call in which it was first seen; null for a plain read, and where the call is gone. */
  call: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
})
export type DriftRow = z.output<typeof DriftRow>

/** A part of the contract that no answer of this workspace's platform has had. */
export const UnseenPart = z.object({
  operation: z.string(),
  /** The whole operation, a reply that came whole, or a part. */
  kind: z.enum(UNSEEN_PART_KINDS),
  event: z.string().nullable(),
  path: z.string(),
  value: z.string().nullable(),
})
export type UnseenPart = z.output<typeof UnseenPart>

/** Drift as the home page tells it: how many ways, and the newest. */
export const DriftAlert = z.object({
  workspace: z.string(),
  count: z.number(),
  newest: DriftRow,
  /** The newest was first seen within seven days. */
  is_new: z.boolean(),
})
export type DriftAlert = z.output<typeof DriftAlert>

const pagedReply = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), total: z.number(), page: z.number(), limit: z.number(), has_more: z.boolean() })
const driftFilterParams = { operation: z.string().max(100).optional(), page: shape.pageParam, limit: shape.limitParam }

export const driftEndpoints = {
  /** What a workspace's platform was seen to do that is not in the contract, the newest first. */
  listDrift: endpoint({
    method: 'GET',
    path: '/api/drift',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional(), kind: z.enum(DRIFT_KINDS).optional(), ...driftFilterParams }),
    reply: pagedReply(DriftRow).extend({
      /** Operations that differ in more ways than are kept. */
      truncated_operations: z.array(z.string()),
    }),
    tags: ['calls', 'runs'],
  }),
  /** What is in the contract and was never seen in a workspace: of the 18 operations, and of adjacent ones that were answered. */
  listUnseenParts: endpoint({
    method: 'GET',
    path: '/api/drift/never-seen',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id, kind: z.enum(UNSEEN_PART_KINDS).optional(), ...driftFilterParams }),
    reply: pagedReply(UnseenPart).extend({
      /** Since when this workspace's answers are looked at; null where none has come. */
      since: z.string().nullable(),
    }),
    tags: ['calls', 'runs'],
  }),
}
