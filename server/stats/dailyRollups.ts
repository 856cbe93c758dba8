import type { Pool, PoolClient } from 'pg'
import type { Database } from '../db/database.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'
import { toDurationCounts, type DailyRunAggregate } from './runAggregate.ts'

export interface CalendarDay {
  day: string
  begins: Date
  ends: Date
  /** It ended a while ago: what it amounts to may be kept. */
  is_finished: boolean
  /** What it amounts to, where that is kept. */
  groups: DailyRunAggregate[] | null
}

/**
 * A day is kept when it ended three hours ago; a run that began over two hours ago has its day forgotten when it changes.
 * No statement takes the hour between.
 */
const FINISHED_AFTER = '3 hours'
const LATE_CHANGE_AFTER = '2 hours'
/** Longer than any span that is asked for. */
const ROLLUP_TTL = '100 days'

/** The columns of a run that a day's sums are made of. */
const ROLLUP_COLUMNS = ['status', 'duration_ms', 'first_token_ms', 'total_tokens', 'total_price', 'currency']

/** As the index `calls_by_figures` has it, from which alone a day is summed up where the table was tended. */
const IS_RUN_SQL = `entry IN (${GENERATING_ENTRIES.map((entry) => `'${entry}'`).join(', ')})`

/**
 * The database itself forgets what a day amounts to when one of its runs is added, changed or removed late. The lock: a day
 * that is being summed up meanwhile is either kept before it is forgotten here, or summed with the change.
 */
export async function createRollupTriggers(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_trigger WHERE tgname = 'day_is_other' AND tgrelid = 'calls'::regclass`,
  )
  if (rows.length > 0) return
  await pool.query(`CREATE OR REPLACE FUNCTION forget_day() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE began timestamptz := CASE TG_OP WHEN 'DELETE' THEN OLD.created_at ELSE NEW.created_at END;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.dailyRollups});
      DELETE FROM day_sums WHERE begins <= began AND ends > began;
      RETURN NULL;
    END $$`)
  const createTrigger = (name: string, when: string, row: 'NEW' | 'OLD', changed = '') =>
    pool.query(`CREATE OR REPLACE TRIGGER ${name} AFTER ${when} ON calls FOR EACH ROW
      WHEN (${row}.created_at < now() - interval '${LATE_CHANGE_AFTER}' AND ${row}.${IS_RUN_SQL} ${changed}) EXECUTE FUNCTION forget_day()`)
  await createTrigger('day_has_more', 'INSERT', 'NEW')
  await createTrigger('day_has_less', 'DELETE', 'OLD')
  const toColumnList = (row: string) => `(${ROLLUP_COLUMNS.map((column) => `${row}.${column}`).join(', ')})`
  await createTrigger(
    'day_is_other',
    `UPDATE OF ${ROLLUP_COLUMNS.join(', ')}`,
    'NEW',
    `AND ${toColumnList('OLD')} IS DISTINCT FROM ${toColumnList('NEW')}`,
  )
}

/** The days of a time zone, the oldest first, the last one today. */
export async function listDays(pool: Pool, { days, zone }: { days: number; zone: string }): Promise<CalendarDay[]> {
  const { rows } = await pool.query<CalendarDay>(
    `SELECT calendar.*, ends <= now() - interval '${FINISHED_AFTER}' AS is_finished, groups
     FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day, day AT TIME ZONE $1 AS begins, (day + interval '1 day') AT TIME ZONE $1 AS ends
           FROM generate_series(date_trunc('day', now() AT TIME ZONE $1) - make_interval(days => $2 - 1), now() AT TIME ZONE $1, '1 day') AS day
     ) AS calendar LEFT JOIN day_sums USING (begins, ends) ORDER BY begins`,
    [zone, days],
  )
  return rows
}

/** What the runs of a day amount to: as it is kept, else summed up, and kept if the day is finished. */
export function readDayAggregates({ pool, transaction }: Database, day: CalendarDay): Promise<DailyRunAggregate[]> {
  if (day.groups) return Promise.resolve(day.groups)
  if (!day.is_finished) return aggregateRuns(pool, day)
  return transaction(async (client) => {
    const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS is_ours', [
      ADVISORY_LOCKS.dailyRollups,
    ])
    const aggregates = await aggregateRuns(client, day)
    // Whoever changes a run of long ago has the lock, and another who sums up keeps it.
    if (!rows[0]?.is_ours) return aggregates
    await client.query(`DELETE FROM day_sums WHERE begins < now() - interval '${ROLLUP_TTL}'`)
    await client.query('INSERT INTO day_sums(begins, ends, groups) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      day.begins,
      day.ends,
      JSON.stringify(aggregates),
    ])
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
       sum(total_price::numeric) FILTER (WHERE total_price ~ '^-?[0-9]{1,20}([.][0-9]{1,20})?$')::text AS price,
       string_agg(duration_ms::text, ' ') FILTER (WHERE status = 'succeeded') AS durations,
       string_agg(first_token_ms::text, ' ') FILTER (WHERE status = 'succeeded') AS first_tokens
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
