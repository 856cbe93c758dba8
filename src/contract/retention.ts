import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as shape from './shapes.ts'

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

const DAYS = 3_650
const MEGABYTES = 1_000_000

export const retention = {
  readRetention: endpoint({
    method: 'GET',
    path: '/api/workspaces/:workspace_id/retention',
    key: 'none',
    permission: 'read',
    reply: Retention,
    shows: ['retention', 'calls'],
  }),
  updateRetention: endpoint({
    method: 'PATCH',
    path: '/api/workspaces/:workspace_id/retention',
    key: 'none',
    permission: 'manage',
    body: z.strictObject({
      keep_days: shape.count(1, DAYS).nullable().optional(),
      keep_megabytes: shape.count(1, MEGABYTES).nullable().optional(),
    }),
    reply: Retention,
    touches: ['retention'],
  }),
  /** Has every call removed that began before a moment; runs that go on stay. It is done by and by. */
  purgeCalls: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/purge',
    key: 'none',
    permission: 'manage',
    body: z.strictObject({ before: z.iso.datetime({ offset: true }) }),
    reply: Retention,
    touches: ['retention', 'calls', 'runs'],
  }),
}
