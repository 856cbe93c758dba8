import type { Pool } from 'pg'
import type { Figures } from '#contract/figures.ts'
import { type Reach, sees } from '../access/reach.ts'
import type { Database } from '../database/database.ts'
import { calendar, groupsOf } from './days.ts'
import type { Group } from './group.ts'
import { Sums } from './measures.ts'

export interface Span {
  days: number
  /** IANA name of the time zone whose days these are. */
  zone: string
  workspace?: string | undefined
}

/**
 * Sums and percentiles by day, by day and app, and of all. What has no measure is left out of them, never taken for 0. What
 * is not kept of a day is a statement of its own, so that nobody waits for thirty of them.
 */
export async function sums(database: Database, { days, zone, workspace }: Span, reach: Reach = null): Promise<Figures> {
  const span = await calendar(database.pool, { days, zone })
  const isAsked = (group: Group) => (!workspace || group.workspace_id === workspace) && sees(reach, group)
  const total = new Sums()
  const by_day: Figures['by_day'] = []
  const by_app: Figures['by_app'] = []
  const prices: Figures['prices'] = []
  for (const day of span) {
    const groups = (await groupsOf(database, day)).filter(isAsked)
    if (groups.length === 0) continue
    const of_day = new Sums()
    for (const [key, of_app] of [...Map.groupBy(groups, ({ key_id }) => key_id)].sort()) {
      const home = of_app[0]?.workspace_id ?? ''
      const of_key = new Sums()
      for (const group of of_app) for (const each of [total, of_day, of_key]) each.add(group)
      by_app.push({ day: day.day, workspace: home, key, ...of_key.sum() })
      for (const { currency, price } of of_app)
        if (price !== null) prices.push({ day: day.day, workspace: home, key, currency, total: price })
    }
    by_day.push({ day: day.day, ...of_day.sum() })
  }
  return {
    days: span.map(({ day }) => day),
    total: total.sum(),
    by_day,
    by_app,
    ...(await added(database.pool, prices)),
  }
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
