import { z } from 'zod'
import { DriftAlert } from './drift.ts'
import { endpoint, Id } from '../endpoint.ts'
import { Run } from './runs.ts'
import * as shape from '../platform/schemas.ts'

/**
 * Runs summed up. `tokens` is null where no run gave any; runs that succeeded
 * `without_usage` count apart, never as zero. Times are milliseconds of three digits, null where none was measured.
 */
const RunAggregate = z.object({
  runs: z.number(),
  /** Runs that failed, and those that were cut or of which nobody knows. */
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

/** A day of the asked time zone, `2026-11-21`. */
const Day = z.string()
const DailyPrice = z.object({
  day: Day,
  workspace: z.string(),
  key: z.string(),
  currency: z.string(),
  /** A decimal number as text: prices are added as decimals, each currency for itself. */
  total: z.string(),
})

export const RunStats = z.object({
  /** All days of the span, the oldest first, those without a run too. */
  days: z.array(Day),
  total: RunAggregate,
  by_day: z.array(RunAggregate.extend({ day: Day })),
  by_app: z.array(RunAggregate.extend({ day: Day, workspace: z.string(), key: z.string() })),
  prices: z.array(DailyPrice),
  /** Of the whole span, one a currency; the currency is empty where the platform named none. */
  price_totals: z.array(DailyPrice.pick({ currency: true, total: true })),
})
export type RunStats = z.output<typeof RunStats>

/** Failed runs of an app with the same words, of the last 24 hours. */
const RecentFailure = z.object({
  workspace: z.string(),
  key: z.string(),
  message: z.string(),
  count: z.number(),
  last_run: z.string(),
  last_at: z.string(),
})

/** A document that was being indexed when it was last seen, a while after it was made. */
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
  stalled: z.array(StalledDocument),
  /** Of each workspace whose platform differs from the contract. */
  drift: z.array(DriftAlert),
  /** The newest runs of all workspaces. */
  runs: z.array(Run),
})
export type Alerts = z.output<typeof Alerts>

export const statsEndpoints = {
  /** What the runs of the last days come to, by app and day; a day is one of the time zone `zone` (IANA). */
  readStats: endpoint({
    method: 'GET',
    path: '/api/stats',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      days: shape.intParam(1, 90).default(14),
      zone: z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9_+\-/]+$/, { error: 'must be the name of a time zone' })
        .default('UTC'),
      workspace: Id.optional(),
    }),
    reply: RunStats,
    tags: ['runs'],
  }),
  /** What a person should look at: runs that failed of late, documents whose indexing does not move. */
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
