import type { Pool } from 'pg'
import type { Figures, Sum } from '#contract/figures.ts'
import { GENERATING } from '../runs/outcome.ts'

export interface Span {
  days: number
  /** IANA name of the time zone whose days these are. */
  zone: string
  workspace?: string | undefined
}

interface SumRow {
  day: string | null
  workspace: string | null
  key: string | null
  runs: number
  failed: number
  unclear: number
  tokens: string | null
  without_usage: number
  p50: number | null
  p95: number | null
  first_token_p50: number | null
  first_token_p95: number | null
}

interface PriceRow {
  day: string | null
  workspace: string | null
  key: string | null
  currency: string
  total: string
}

/** The runs of the span: `$1` entries, `$2` time zone, `$3` days, `$4` workspace or null. A day begins at midnight in that zone. */
const RUNS = `
  SELECT workspace_id AS workspace, key_id AS key, status, duration_ms, first_token_ms, total_tokens, total_price, currency,
         to_char(created_at AT TIME ZONE $2, 'YYYY-MM-DD') AS day
  FROM calls
  WHERE entry = ANY($1) AND ($4::uuid IS NULL OR workspace_id = $4::uuid)
    AND created_at >= (date_trunc('day', now() AT TIME ZONE $2) - make_interval(days => $3 - 1)) AT TIME ZONE $2`

/** Sums and percentiles by day, by day and app, and of all. What has no measure is left out of them, never taken for 0. */
export async function sums(pool: Pool, { days, zone, workspace }: Span): Promise<Figures> {
  const values = [[...GENERATING], zone, days, workspace ?? null]
  const { rows } = await pool.query<SumRow>(
    `WITH runs AS (${RUNS})
     SELECT day, workspace, key, count(*)::int AS runs,
       count(*) FILTER (WHERE status = 'failed')::int AS failed,
       count(*) FILTER (WHERE status IN ('interrupted', 'unknown'))::int AS unclear,
       sum(total_tokens) AS tokens,
       count(*) FILTER (WHERE status = 'succeeded' AND total_tokens IS NULL)::int AS without_usage,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status = 'succeeded') AS p50,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status = 'succeeded') AS p95,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE status = 'succeeded') AS first_token_p50,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE status = 'succeeded') AS first_token_p95
     FROM runs GROUP BY GROUPING SETS ((), (day), (day, workspace, key)) ORDER BY day, key`,
    values,
  )
  const { rows: prices } = await pool.query<PriceRow>(
    `WITH runs AS (${RUNS})
     SELECT day, workspace, key, coalesce(currency, '') AS currency, trim_scale(sum(total_price::numeric))::text AS total
     FROM runs WHERE total_price ~ '^-?[0-9]{1,20}([.][0-9]{1,20})?$'
     GROUP BY GROUPING SETS ((day, workspace, key, currency), (currency)) ORDER BY day, key, currency`,
    values,
  )
  const { rows: calendar } = await pool.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day
     FROM generate_series(date_trunc('day', now() AT TIME ZONE $1) - make_interval(days => $2 - 1), now() AT TIME ZONE $1, '1 day') AS day`,
    [zone, days],
  )
  return {
    days: calendar.map(({ day }) => day),
    total: sumOf(rows.find(({ day }) => day === null)),
    by_day: rows.flatMap((row) => (row.day !== null && row.key === null ? [{ day: row.day, ...sumOf(row) }] : [])),
    by_app: rows.flatMap((row) =>
      row.day !== null && row.workspace !== null && row.key !== null
        ? [{ day: row.day, workspace: row.workspace, key: row.key, ...sumOf(row) }]
        : [],
    ),
    prices: prices.filter((price): price is Figures['prices'][number] => price.day !== null),
    price_totals: prices.flatMap(({ day, currency, total }) => (day === null ? [{ currency, total }] : [])),
  }
}

const sumOf = (row: SumRow | undefined): Sum => ({
  runs: row?.runs ?? 0,
  failed: row?.failed ?? 0,
  unclear: row?.unclear ?? 0,
  tokens: row?.tokens == null ? null : Number(row.tokens),
  without_usage: row?.without_usage ?? 0,
  p50: row?.p50 ?? null,
  p95: row?.p95 ?? null,
  first_token_p50: row?.first_token_p50 ?? null,
  first_token_p95: row?.first_token_p95 ?? null,
})
