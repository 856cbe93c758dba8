import type { Pool } from 'pg'
import type { RunStats } from '#contract/console/stats.ts'
import { type AccessScope, isInScope } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { listDays, readDayAggregates } from './dailyRollups.ts'
import type { DailyRunAggregate } from './runAggregate.ts'
import { StatsAccumulator } from './statsAccumulator.ts'

export interface StatsQuery {
  days: number
  /** IANA name of the time zone that delimits the days. */
  zone: string
  workspace?: string | undefined
}

/**
 * Sums and percentiles by day, by day and app, and in total. Missing measurements are excluded, never counted as 0.
 * Each day without a rollup has its own statement, so that other queries do not wait for all of them.
 */
export async function computeStats(
  database: Database,
  { days, zone, workspace }: StatsQuery,
  accessScope: AccessScope,
): Promise<RunStats> {
  const calendarDays = await listDays(database.pool, { days, zone })
  const isIncluded = (group: DailyRunAggregate) =>
    (!workspace || group.workspace_id === workspace) && isInScope(accessScope, group)
  const total = new StatsAccumulator()
  const by_day: RunStats['by_day'] = []
  const by_app: RunStats['by_app'] = []
  const prices: RunStats['prices'] = []
  for (const day of calendarDays) {
    const aggregates = (await readDayAggregates(database, day)).filter(isIncluded)
    if (aggregates.length === 0) continue
    const dayStats = new StatsAccumulator()
    for (const [key, appAggregates] of [...Map.groupBy(aggregates, ({ key_id }) => key_id)].sort()) {
      const workspaceId = appAggregates[0]?.workspace_id ?? ''
      const keyStats = new StatsAccumulator()
      for (const group of appAggregates) for (const each of [total, dayStats, keyStats]) each.add(group)
      by_app.push({ day: day.day, workspace: workspaceId, key, ...keyStats.toStats() })
      for (const { currency, price } of appAggregates)
        if (price !== null) prices.push({ day: day.day, workspace: workspaceId, key, currency, total: price })
    }
    by_day.push({ day: day.day, ...dayStats.toStats() })
  }
  return {
    days: calendarDays.map(({ day }) => day),
    total: total.toStats(),
    by_day,
    by_app,
    ...(await sumPrices(database.pool, prices)),
  }
}

/** Prices are decimals, which the database adds: per app and day, and in total, separately for each currency. */
async function sumPrices(pool: Pool, parts: RunStats['prices']): Promise<Pick<RunStats, 'prices' | 'price_totals'>> {
  const { rows } = await pool.query<{
    [Name in keyof RunStats['prices'][number]]: RunStats['prices'][number][Name] | null
  }>(
    `SELECT day, workspace, key, currency, trim_scale(sum(total::numeric))::text AS total
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS part(day, workspace, key, currency, total)
     GROUP BY GROUPING SETS ((day, workspace, key, currency), (currency)) ORDER BY day, key, currency`,
    (['day', 'workspace', 'key', 'currency', 'total'] as const).map((name) => parts.map((part) => part[name])),
  )
  return {
    prices: rows.filter((row): row is RunStats['prices'][number] => row.day !== null),
    price_totals: rows.flatMap(({ day, currency, total }) =>
      day === null ? [{ currency: currency ?? '', total: total ?? '' }] : [],
    ),
  }
}
