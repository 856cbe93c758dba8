import { SUCCESS_STATUSES, UNCLEAR_STATUSES, RUN_FIGURES } from '#contract/console/runs.ts'
import { type CallAggregate, type CallGroupBy, type CallStats, MAX_CALL_GROUPS } from '#contract/console/calls.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { toSqlList } from '../db/sqlConditions.ts'
import { GENERATING_ENTRIES } from './runStatus.ts'
import { type CallSearch, FAILURE_SQL, queryCallSet } from './callSearch.ts'
import { PRICE_PATTERN } from '#domain/price.ts'

const IS_SUCCESS_SQL = `status IN (${toSqlList(SUCCESS_STATUSES)})`
const IS_RUN_SQL = `entry IN (${toSqlList(GENERATING_ENTRIES)})`

/** The value by which calls are grouped; `$1` is the time zone. */
const GROUP_VALUES: Record<CallGroupBy, string> = {
  app: 'calls.key_id::text',
  version: 'calls.workflow_id',
  conversation: 'calls.conversation_id',
  person: 'calls.person_id::text',
  day: `to_char(calls.created_at AT TIME ZONE $1::text, 'YYYY-MM-DD')`,
  failure: FAILURE_SQL,
  origin: 'calls.origin',
}

interface GroupRow {
  is_total: number | null
  value: string | null
  calls: number
  failed: number
  unclear: number
  tokens: string | null
  without_usage: number
  times: (number | null)[] | null
  first_tokens: (number | null)[] | null
  last_at: Date | null
  prices: CallAggregate['prices'] | null
}

/**
 * Totals and percentiles of the filtered calls and of their groups, in one statement over a bounded set: all of them
 * if there are few, else the newest. Calls out of scope are never in the set.
 */
export async function computeCallStats(
  database: Database,
  filters: CallSearch,
  { group, zone, accessScope }: { group: CallGroupBy | undefined; zone: string; accessScope: AccessScope },
): Promise<CallStats> {
  const { rows, isComplete, since } = await queryCallSet<GroupRow>(
    database,
    { filters, accessScope },
    {
      values: [zone],
      columns: `calls.entry, calls.status, ${Object.values(RUN_FIGURES)
        .map(({ field }) => `calls.${field}`)
        .join(', ')},
        ${group ? GROUP_VALUES[group] : 'NULL::text'} AS value, $1::text AS zone`,
      select: toSelect(group),
    },
  )
  const total = rows.find(({ is_total: isTotal }) => isTotal === 1)
  const groups = rows.filter(({ is_total: isTotal }) => isTotal === 0)
  const shown = groups.slice(0, MAX_CALL_GROUPS)
  const names = await findNames(database, group, { rows: shown, accessScope })
  return {
    total: toAggregate(total ?? EMPTY_ROW),
    groups: shown.map((row) => ({
      ...toAggregate(row),
      value: group === 'person' ? (names.get(row.value) ?? null) : row.value,
      title: group === 'conversation' ? (names.get(row.value) ?? null) : null,
      last_at: (row.last_at ?? new Date(0)).toISOString(),
    })),
    groups_capped: groups.length > MAX_CALL_GROUPS,
    is_complete: isComplete,
    since: isComplete ? null : (since?.toISOString() ?? null),
  }
}

function toSelect(group: CallGroupBy | undefined): string {
  // Only failures have a message and are grouped by it.
  const source = group === 'failure' ? '(SELECT * FROM matched WHERE value IS NOT NULL) AS grouped' : 'matched'
  const sets = group ? 'GROUPING SETS ((), (value))' : '()'
  const currencies = group ? 'GROUPING SETS ((currency), (value, currency))' : 'currency'
  const isTotal = group ? 'grouping(value)' : '1'
  const value = group ? 'value' : 'NULL::text AS value'
  return `
    SELECT sums.*, prices.prices FROM (
      SELECT ${isTotal} AS is_total, ${value}, count(*)::int AS calls, count(*) FILTER (WHERE status = 'failed')::int AS failed,
        count(*) FILTER (WHERE status IN (${toSqlList(UNCLEAR_STATUSES)}))::int AS unclear, sum(total_tokens)::text AS tokens,
        count(*) FILTER (WHERE total_tokens IS NULL AND ${IS_SUCCESS_SQL} AND ${IS_RUN_SQL})::int AS without_usage,
        percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE ${IS_SUCCESS_SQL}) AS times,
        percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ${RUN_FIGURES.firstToken.field}) FILTER (WHERE ${IS_SUCCESS_SQL}) AS first_tokens,
        max(created_at) AS last_at
      FROM ${source} GROUP BY ${sets}
      ORDER BY ${isTotal} DESC, ${group === 'day' ? 'value DESC' : 'count(*) DESC, max(created_at) DESC'} LIMIT ${MAX_CALL_GROUPS + 2}
    ) AS sums LEFT JOIN (
      SELECT is_total, value, json_agg(json_build_object('currency', currency, 'total', total) ORDER BY currency) AS prices FROM (
        SELECT ${isTotal} AS is_total, ${value}, coalesce(currency, '') AS currency, trim_scale(sum(total_price::numeric))::text AS total
        FROM ${source} WHERE total_price ~ '${PRICE_PATTERN}' GROUP BY ${currencies}
      ) AS part GROUP BY is_total, value
    ) AS prices ON prices.is_total = sums.is_total AND coalesce(prices.value, '') = coalesce(sums.value, '')
    ORDER BY sums.is_total DESC, ${group === 'day' ? 'sums.value DESC' : 'sums.calls DESC, sums.last_at DESC'}`
}

const EMPTY_ROW: GroupRow = {
  is_total: 1,
  value: null,
  calls: 0,
  failed: 0,
  unclear: 0,
  tokens: null,
  without_usage: 0,
  times: null,
  first_tokens: null,
  last_at: null,
  prices: null,
}

const toAggregate = ({ calls, failed, unclear, tokens, without_usage, times, first_tokens, prices }: GroupRow) => ({
  calls,
  failed,
  unclear,
  tokens: tokens === null ? null : Number(tokens),
  without_usage,
  p50: times?.[0] ?? null,
  p95: times?.[1] ?? null,
  first_token_p50: first_tokens?.[0] ?? null,
  first_token_p95: first_tokens?.[1] ?? null,
  prices: prices ?? [],
})

/** Names of people, or the newest questions of conversations, by the value of the group. */
async function findNames(
  { pool }: Database,
  group: CallGroupBy | undefined,
  { rows, accessScope }: { rows: readonly GroupRow[]; accessScope: AccessScope },
): Promise<Map<string | null, string>> {
  const values = rows.flatMap(({ value }) => value ?? [])
  if ((group !== 'person' && group !== 'conversation') || values.length === 0) return new Map()
  const { rows: named } =
    group === 'person'
      ? await pool.query<{ value: string; name: string }>(
          'SELECT id::text AS value, name FROM people WHERE id = ANY($1::uuid[])',
          [values],
        )
      : await pool.query<{ value: string; name: string }>(
          `SELECT asked.value, newest.title AS name FROM unnest($1::text[]) AS asked(value), LATERAL (
             SELECT title FROM calls WHERE conversation_id = asked.value AND ${scopeFilter('calls', 2)}
             ORDER BY created_at DESC LIMIT 1) AS newest`,
          [values, accessScope],
        )
  return new Map(named.map(({ value, name }) => [value, name]))
}
