import { z } from 'zod'
import { DriftNews } from './drifts.ts'
import { endpoint, Id } from './endpoint.ts'
import { Run } from './runs.ts'
import * as shape from './shapes.ts'

/**
 * Runs summed up. `tokens` is null where no run gave any; runs that succeeded
 * `without_usage` count apart, never as zero. Times are milliseconds of three digits, null where none was measured.
 */
const Sum = z.object({
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
export type Sum = z.output<typeof Sum>

/** A day of the asked time zone, `2026-11-21`. */
const Day = z.string()
const Price = z.object({
  day: Day,
  workspace: z.string(),
  key: z.string(),
  currency: z.string(),
  /** A decimal number as text: prices are added as decimals, each currency for itself. */
  total: z.string(),
})

export const Figures = z.object({
  /** All days of the span, the oldest first, those without a run too. */
  days: z.array(Day),
  total: Sum,
  by_day: z.array(Sum.extend({ day: Day })),
  by_app: z.array(Sum.extend({ day: Day, workspace: z.string(), key: z.string() })),
  prices: z.array(Price),
  /** Of the whole span, one a currency; the currency is empty where the platform named none. */
  price_totals: z.array(Price.pick({ currency: true, total: true })),
})
export type Figures = z.output<typeof Figures>

/** Failed runs of an app with the same words, of the last 24 hours. */
const FailureGroup = z.object({
  workspace: z.string(),
  key: z.string(),
  message: z.string(),
  count: z.number(),
  last_run: z.string(),
  last_at: z.string(),
})

/** A document that was being indexed when it was last seen, a while after it was made. */
const Stalled = z.object({
  workspace: z.string(),
  dataset: z.string(),
  document: z.string(),
  label: z.string().nullable(),
  state: z.string(),
  since: z.string(),
  last_seen: z.string(),
})

export const Attention = z.object({
  failures: z.array(FailureGroup),
  stalled: z.array(Stalled),
  /** Of each workspace whose platform differs from the contract. */
  drift: z.array(DriftNews),
  /** The newest runs of all workspaces. */
  runs: z.array(Run),
})
export type Attention = z.output<typeof Attention>

export const figures = {
  /** What the runs of the last days come to, by app and day; a day is one of the time zone `zone` (IANA). */
  readFigures: endpoint({
    method: 'GET',
    path: '/api/figures',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      days: shape.count(1, 90).default(14),
      zone: z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9_+\-/]+$/, { error: 'must be the name of a time zone' })
        .default('UTC'),
      workspace: Id.optional(),
    }),
    reply: Figures,
    shows: ['runs'],
  }),
  /** What a person should look at: runs that failed of late, documents whose indexing does not move. */
  readAttention: endpoint({
    method: 'GET',
    path: '/api/attention',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ workspace: Id.optional() }),
    reply: Attention,
    shows: ['runs', 'documents'],
  }),
}
