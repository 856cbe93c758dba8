import type { Pool, PoolClient } from 'pg'
import { SUCCESS_STATUSES, RUN_FIGURES } from '#contract/console/runs.ts'
import type { Database } from '../db/database.ts'
import { toSqlList } from '../db/sqlConditions.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'
import { toDurationCounts, type DailyRunAggregate } from './runAggregate.ts'
import { PRICE_PATTERN } from '#domain/price.ts'

export interface CalendarDay {
  day: string
  begins: Date
  ends: Date
  /** The day ended long enough ago to store its rollup. */
  is_finished: boolean
  groups: DailyRunAggregate[] | null
}

/**
 * A rollup is stored this long after the end of its day. A run that began over two hours ago deletes the rollup of
 * its day when it changes (trigger `rollup_stale_on_update` and similar ones). The gap of one hour covers the longest
 * transaction.
 */
const FINISHED_AFTER = '3 hours'
/** Longer than any requested period. */
const ROLLUP_TTL = '100 days'
/** Raise it when `DailyRunAggregate` or its computation changes: rollups of other versions are computed again. */
const MEASURES_VERSION = 3

/** The condition of the index `calls_by_stats`, which allows an index-only scan after a vacuum. */
const IS_RUN_SQL = `entry IN (${toSqlList(GENERATING_ENTRIES)})`

const IS_SUCCESS_SQL = `status IN (${toSqlList(SUCCESS_STATUSES)})`

/** The days of a time zone, oldest first, ending today. */
export async function listDays(pool: Pool, { days, zone }: { days: number; zone: string }): Promise<CalendarDay[]> {
  const { rows } = await pool.query<CalendarDay>(
    `SELECT calendar.*, ends <= now() - interval '${FINISHED_AFTER}' AS is_finished, CASE WHEN measures_version = $3 THEN groups END AS groups
     FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day, day AT TIME ZONE $1 AS begins, (day + interval '1 day') AT TIME ZONE $1 AS ends
           FROM generate_series(date_trunc('day', now() AT TIME ZONE $1) - make_interval(days => $2 - 1), now() AT TIME ZONE $1, '1 day') AS day
     ) AS calendar LEFT JOIN daily_rollups AS rollup USING (begins, ends) ORDER BY begins`,
    [zone, days, MEASURES_VERSION],
  )
  return rows
}

/** The aggregated runs of a day: the stored rollup, or computed now, and stored if the day is finished. */
export function readDayAggregates({ pool, transaction }: Database, day: CalendarDay): Promise<DailyRunAggregate[]> {
  if (day.groups) return Promise.resolve(day.groups)
  if (!day.is_finished) return aggregateRuns(pool, day)
  return transaction(async (client) => {
    const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS is_ours', [
      ADVISORY_LOCKS.dailyRollups,
    ])
    const aggregates = await aggregateRuns(client, day)
    // Another transaction holds the lock: it changes an old run, or stores the same rollup.
    if (!rows[0]?.is_ours) return aggregates
    await client.query(`DELETE FROM daily_rollups WHERE begins < now() - interval '${ROLLUP_TTL}'`)
    await client.query(
      `INSERT INTO daily_rollups(begins, ends, groups, measures_version) VALUES ($1, $2, $3, $4)
       ON CONFLICT (begins, ends) DO UPDATE SET groups = excluded.groups, measures_version = excluded.measures_version`,
      [day.begins, day.ends, JSON.stringify(aggregates), MEASURES_VERSION],
    )
    return aggregates
  })
}

async function aggregateRuns(client: Pool | PoolClient, { begins, ends }: CalendarDay): Promise<DailyRunAggregate[]> {
  type Row = Omit<DailyRunAggregate, 'tokens' | 'durations' | 'first_tokens'> & {
    tokens: string | null
    durations: string | null
    first_tokens: string | null
  }
  const { rows } = await client.query<Row>(
    `SELECT workspace_id, key_id, status, coalesce(currency, '') AS currency, count(*)::int AS runs,
       sum(total_tokens) AS tokens, count(*) FILTER (WHERE total_tokens IS NULL)::int AS without_usage,
       sum(total_price::numeric) FILTER (WHERE total_price ~ '${PRICE_PATTERN}')::text AS price,
       string_agg(duration_ms::text, ' ') FILTER (WHERE ${IS_SUCCESS_SQL}) AS durations,
       string_agg(${RUN_FIGURES.firstToken.field}::text, ' ') FILTER (WHERE ${IS_SUCCESS_SQL}) AS first_tokens
     FROM calls WHERE ${IS_RUN_SQL} AND created_at >= $1 AND created_at < $2 GROUP BY workspace_id, key_id, status, coalesce(currency, '')`,
    [begins, ends],
  )
  return rows.map((row) => ({
    ...row,
    tokens: row.tokens === null ? null : Number(row.tokens),
    durations: toDurationCounts(row.durations),
    first_tokens: toDurationCounts(row.first_tokens),
  }))
}
