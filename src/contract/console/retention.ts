import { z } from 'zod'
import { endpoint, IsoTime } from '../endpoint.ts'
import * as shape from '../platform/schemas.ts'
import { storable } from '../storable.ts'

/**
 * Retention of a workspace's calls, and their last count and size. People with access to single keys get no erasures
 * and no counts.
 */
export const Retention = z.object({
  workspace: z.string(),
  /** Null: no limit of age. */
  keep_days: z.number().nullable(),
  /** Null: no limit of size. */
  keep_megabytes: z.number().nullable(),
  /** Further saved files of runs are refused. */
  keep_file_megabytes: z.number(),
  /** Calls that started before this time are being deleted. */
  purge_before: z.string().nullable(),
  /** End users whose runs before a time are being deleted, by that time. */
  erasures: z.array(z.object({ end_user: z.string(), before: z.string() })),
  /** Number of deleted calls, and the time of the last deletion. */
  removed: z.number(),
  removed_at: z.string().nullable(),
  /** Null before the first count. */
  counted_at: z.string().nullable(),
  calls: z.number().nullable(),
  /** Including frames and saved files. */
  bytes: z.number().nullable(),
  frame_bytes: z.number().nullable(),
  file_bytes: z.number().nullable(),
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
      keep_file_megabytes: shape.intParam(0, MAX_KEEP_MEGABYTES).optional(),
    }),
    reply: Retention,
    invalidates: ['retention'],
  }),
  /**
   * Deletes all calls before a time, or only the runs of an end user among them, in the background. Active runs are
   * not deleted.
   */
  purgeCalls: endpoint({
    method: 'POST',
    path: '/api/workspaces/:workspace_id/purge',
    key: 'none',
    permission: 'manage',
    body: z.strictObject({
      before: IsoTime,
      end_user: storable(shape.EndUser).optional(),
    }),
    reply: Retention,
    invalidates: ['retention', 'calls', 'runs'],
  }),
}
