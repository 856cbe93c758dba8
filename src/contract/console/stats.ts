import { z } from 'zod'
import { DriftAlert } from './drift.ts'
import { endpoint, Id } from '../endpoint.ts'
import { Run } from './runs.ts'
import * as shape from '../platform/schemas.ts'

export const TimeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_+\-/]+$/, { error: 'must be the name of a time zone' })

/**
 * Aggregated runs. `tokens` is null if no run reported any; succeeded runs `without_usage` are counted separately,
 * never as zero. Times are milliseconds with three digits, null if none was measured.
 */
const RunAggregate = z.object({
  runs: z.number(),
  /**
   * Failed runs, and those that were cut or have an unknown result. Stopped, refused and paused runs are not
   * included.
   */
  failed: z.number(),
  unclear: z.number(),
  tokens: z.number().nullable(),
  without_usage: z.number(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  first_token_p50: z.number().nullable(),
  first_token_p95: z.number().nullable(),
})
export type RunAggregate = z.output<typeof RunAggregate>

/** A day in the requested time zone, `2026-11-21`. */
const Day = z.string()
const DailyPrice = z.object({
  day: Day,
  workspace: z.string(),
  key: z.string(),
  currency: z.string(),
  /** A decimal number as text: prices are added as decimals, separately by currency. */
  total: z.string(),
})

export const RunStats = z.object({
  /** All days of the period, oldest first, including days without a run. */
  days: z.array(Day),
  total: RunAggregate,
  by_day: z.array(RunAggregate.extend({ day: Day })),
  by_app: z.array(RunAggregate.extend({ day: Day, workspace: z.string(), key: z.string() })),
  prices: z.array(DailyPrice),
  /** Totals of the period by currency; the currency is empty if the platform reported none. */
  price_totals: z.array(DailyPrice.pick({ currency: true, total: true })),
})
export type RunStats = z.output<typeof RunStats>

/** Failed runs of an app with the same message, of the last 24 hours. */
const RecentFailure = z.object({
  workspace: z.string(),
  key: z.string(),
  message: z.string(),
  count: z.number(),
  last_run: z.string(),
  last_at: z.string(),
})

/** Uploads of a workspace by one operation that the platform refused in the last 24 hours. */
const RefusedUploads = z.object({
  workspace: z.string(),
  /** The entry of the contract, for example `adjacent.createByFile`; `annotations.create` for rows of imported files. */
  operation: z.string(),
  /** The platform's message for the newest of them. */
  message: z.string(),
  count: z.number(),
  last_call: z.string(),
  first_at: z.string(),
  last_at: z.string(),
})

/** A document that was still being indexed when last seen, some time after its creation. */
const StalledDocument = z.object({
  workspace: z.string(),
  dataset: z.string(),
  document: z.string(),
  label: z.string().nullable(),
  state: z.string(),
  since: z.string(),
  last_seen: z.string(),
})

export const Alerts = z.object({
  failures: z.array(RecentFailure),
  refused_uploads: z.array(RefusedUploads).default([]),
  stalled: z.array(StalledDocument),
  drift: z.array(DriftAlert),
  /** The newest runs of all workspaces. */
  runs: z.array(Run),
})
export type Alerts = z.output<typeof Alerts>

export const statsEndpoints = {
  /** Statistics of the last days by app and day; days are in the time zone `zone` (IANA). */
  readStats: endpoint({
    method: 'GET',
    path: '/api/stats',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      days: shape.intParam(1, 90).default(14),
      zone: TimeZone.default('UTC'),
      workspace: Id.optional(),
    }),
    reply: RunStats,
    tags: ['runs'],
  }),
  /** Items that need attention: recently failed runs, refused uploads, documents whose indexing is stuck. */
  readAlerts: endpoint({
    method: 'GET',
    path: '/api/alerts',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional() }),
    reply: Alerts,
    tags: ['runs', 'documents'],
  }),
}
