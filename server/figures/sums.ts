import type { Pool } from 'pg'
import type { Figures } from '#contract/figures.ts'
import { type Reach, seenBy } from '../access/reach.ts'
import { GENERATING } from '../runs/outcome.ts'
import { type Measured, Sums } from './measures.ts'

export interface Span {
  days: number
  /** IANA name of the time zone whose days these are. */
  zone: string
  workspace?: string | undefined
}

interface Day {
  day: string
  begins: Date
  ends: Date
}

/** Runs of one day and app that stand alike. */
interface SumRow extends Measured {
  workspace: string
  key: string
  currency: string
  price: string | null
}

/** As the index `calls_by_figures` has it, from which alone this is answered where the table was tended. */
const RUNS = `entry IN (${GENERATING.map((entry) => `'${entry}'`).join(', ')})`

/**
 * Sums and percentiles by day, by day and app, and of all. What has no measure is left out of them, never taken for 0. Each
 * day is a statement of its own, so that nobody waits for thirty of them.
 */
export async function sums(pool: Pool, { days, zone, workspace }: Span, reach: Reach = null): Promise<Figures> {
  const { rows: calendar } = await pool.query<Day>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, day AT TIME ZONE $1 AS begins, (day + interval '1 day') AT TIME ZONE $1 AS ends
     FROM generate_series(date_trunc('day', now() AT TIME ZONE $1) - make_interval(days => $2 - 1), now() AT TIME ZONE $1, '1 day') AS day`,
    [zone, days],
  )
  const total = new Sums()
  const by_day: Figures['by_day'] = []
  const by_app: Figures['by_app'] = []
  const prices: Figures['prices'] = []
  for (const { day, begins, ends } of calendar) {
    const { rows } = await pool.query<SumRow>(
      `SELECT workspace_id AS workspace, key_id AS key, status, coalesce(currency, '') AS currency, count(*)::int AS runs,
         sum(total_tokens) AS tokens, count(*) FILTER (WHERE total_tokens IS NULL)::int AS without_usage,
         sum(total_price::numeric) FILTER (WHERE total_price ~ '^-?[0-9]{1,20}([.][0-9]{1,20})?$')::text AS price,
         string_agg(duration_ms::text, ' ') FILTER (WHERE status = 'succeeded') AS durations,
         string_agg(first_token_ms::text, ' ') FILTER (WHERE status = 'succeeded') AS first_tokens
       FROM calls WHERE ${RUNS} AND created_at >= $1 AND created_at < $2 AND ($3::uuid IS NULL OR workspace_id = $3::uuid)
         AND ${seenBy('calls', 4)}
       GROUP BY workspace_id, key_id, status, currency`,
      [begins, ends, workspace ?? null, reach],
    )
    if (rows.length === 0) continue
    const of_day = new Sums()
    for (const [, of_app] of [...Map.groupBy(rows, ({ key }) => key)].sort()) {
      const [{ workspace: home, key }] = of_app as [SumRow, ...SumRow[]]
      const of_key = new Sums()
      for (const row of of_app) for (const each of [total, of_day, of_key]) each.add(row)
      by_app.push({ day, workspace: home, key, ...of_key.sum() })
      for (const { currency, price } of of_app)
        if (price !== null) prices.push({ day, workspace: home, key, currency, total: price })
    }
    by_day.push({ day, ...of_day.sum() })
  }
  return { days: calendar.map(({ day }) => day), total: total.sum(), by_day, by_app, ...(await added(pool, prices)) }
}

/** Prices are decimals, which the database adds: those of an app and day, and of all, each currency for itself. */
async function added(pool: Pool, parts: Figures['prices']): Promise<Pick<Figures, 'prices' | 'price_totals'>> {
  const { rows } = await pool.query<{
    [Name in keyof Figures['prices'][number]]: Figures['prices'][number][Name] | null
  }>(
    `SELECT day, workspace, key, currency, trim_scale(sum(total::numeric))::text AS total
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS part(day, workspace, key, currency, total)
     GROUP BY GROUPING SETS ((day, workspace, key, currency), (currency)) ORDER BY day, key, currency`,
    (['day', 'workspace', 'key', 'currency', 'total'] as const).map((name) => parts.map((part) => part[name])),
  )
  return {
    prices: rows.filter((row): row is Figures['prices'][number] => row.day !== null),
    price_totals: rows.flatMap(({ day, currency, total }) =>
      day === null ? [{ currency: currency ?? '', total: total ?? '' }] : [],
    ),
  }
}
