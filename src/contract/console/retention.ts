import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'

/** How long the calls of a workspace are kept, and what they were when they were last counted. */
export const Retention = z.object({
  workspace: z.string(),
  /** Null where age removes nothing. */
  keep_days: z.number().nullable(),
  /** Null where size removes nothing. */
  keep_megabytes: z.number().nullable(),
  /** Calls that began before this moment are being removed. */
  purge_before: z.string().nullable(),
  /** Calls that were removed so far, and when the last one was. */
  removed: z.number(),
  removed_at: z.string().nullable(),
  /** Null before the first count. */
  counted_at: z.string().nullable(),
  calls: z.number().nullable(),
  bytes: z.number().nullable(),
  oldest: z.string().nullable(),
})
export type Retention = z.output<typeof Retention>

const MAX_KEEP_DAYS = 3_650
const MAX_KEEP_MEGABYTES = 1_000_000

export const retentionEndpoints = {
  readRetention: endpoint({
    method: 'GET',
    path: '/api/workspaces/:workspace_id/retention',
    key: 'none',
    permission: 'read',
    reply: Retention,
    tags: ['retention', 'calls'],
  }),
  updateRetention: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id/retention',
    key: 'none',
    permission: 'manage',
    body: z.strictObject({
      keep_days: shape.intParam(1, MAX_KEEP_DAYS).nullable().optional(),
      keep_megabytes: shape.intParam(1, MAX_KEEP_MEGABYTES).nullable().optional(),
    }),
    reply: Retention,
    invalidates: ['retention'],
  }),
  /** Has every call removed that began before a moment; runs that go on stay. It is done by and by. */
  purgeCalls: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/purge',
    key: 'none',
    permission: 'manage',
    body: z.strictObject({ before: z.iso.datetime({ offset: true }) }),
    reply: Retention,
    invalidates: ['retention', 'calls', 'runs'],
  }),
}
