import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'

/**
 * Contract drift: observations that are not in the contract, and operations, events, fields and enum values of the
 * contract that were never observed.
 */
export const DRIFT_KINDS = ['field', 'event', 'word', 'status', 'error', 'type', 'missing'] as const
export const UNSEEN_PART_KINDS = ['operation', 'reply', 'event', 'field', 'word'] as const

/** A `notice` may break a reader of the reply; a `note` is a new field, which breaks nothing. */
export const DRIFT_SEVERITIES = ['notice', 'note'] as const
export type DriftSeverity = (typeof DRIFT_SEVERITIES)[number]

/** Where a difference was seen; fields as in `DriftRow`. */
const driftPlaceFields = { operation: z.string(), event: z.string().nullable(), path: z.string() }
export const DriftPlace = z.object(driftPlaceFields)
export type DriftPlace = z.output<typeof DriftPlace>

/**
 * One way in which a platform differs from the contract: one fact, possibly observed in several places. Operation,
 * event, path, sample and call are those of the first place.
 */
export const DriftRow = z.object({
  /** Hash of the first operation, kind, event, path and value: identical in every workspace. */
  id: z.string(),
  workspace: z.string(),
  /** The entry of the contract, `chat.send`. */
  operation: z.string(),
  kind: z.enum(DRIFT_KINDS),
  severity: z.enum(DRIFT_SEVERITIES),
  /** The event that contains it, or that is unknown; null outside a stream. */
  event: z.string().nullable(),
  /** With indices folded, for example `data[].status`; empty for the complete reply. */
  path: z.string(),
  /** The enum value, the status code, or the difference in the shape of a refusal; null otherwise. */
  value: z.string().nullable(),
  /** The first occurrence, shortened and without secrets. */
  sample: z.unknown(),
  count: z.number(),
  /** Every place where it was observed, first one first. */
  places: z.array(DriftPlace),
  /** The call in which it was first seen; null for a plain read, or if the call was deleted. */
  call: z.string().nullable(),
  first_seen: z.string(),
  last_seen: z.string(),
})
export type DriftRow = z.output<typeof DriftRow>

/** A part of the contract that this workspace's platform has never sent. */
export const UnseenPart = z.object({
  operation: z.string(),
  kind: z.enum(UNSEEN_PART_KINDS),
  event: z.string().nullable(),
  path: z.string(),
  value: z.string().nullable(),
  /** The earliest recorded release that sends it; null for a part of the interface document. */
  since: z.enum(shape.RELEASES).nullable(),
})
export type UnseenPart = z.output<typeof UnseenPart>

/** Drift on the home page: the notices of a workspace, and the newest of them. Workspaces without notices are omitted. */
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
  /** What a workspace's platform sent that is not in the contract: notices first, then newest first. */
  listDrift: endpoint({
    method: 'GET',
    path: '/api/drift',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id.optional(),
      kind: z.enum(DRIFT_KINDS).optional(),
      severity: z.enum(DRIFT_SEVERITIES).optional(),
      ...driftFilterParams,
    }),
    reply: pagedReply(DriftRow).extend({
      /** Operations with more differences than are stored. */
      truncated_operations: z.array(z.string()),
    }),
    tags: ['calls', 'runs'],
  }),
  /**
   * What is in the contract but was never observed in a workspace: of the 18 operations, and of optional ones that
   * were answered.
   */
  listUnseenParts: endpoint({
    method: 'GET',
    path: '/api/drift/never-seen',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id, kind: z.enum(UNSEEN_PART_KINDS).optional(), ...driftFilterParams }),
    reply: pagedReply(UnseenPart).extend({
      /** Start of the observation of this workspace's replies; null if there was none. */
      since: z.string().nullable(),
    }),
    tags: ['calls', 'runs'],
  }),
}
