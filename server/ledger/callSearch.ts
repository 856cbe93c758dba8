import type { PoolClient } from 'pg'
import { type CallQuery, type CallSort, MAX_COUNTED_CALLS } from '#contract/console/callQuery.ts'
import { RUN_FIGURES } from '#contract/console/runs.ts'
import { invalidFieldError } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import { type AccessScope, SCOPE_CONDITIONS } from '../auth/accessScope.ts'
import { toContainsPattern } from '../db/sqlConditions.ts'
import { findMessagesByRating } from './runRatings.ts'
import { PRICE_PATTERN } from '#domain/price.ts'

/**
 * Which calls a list shows. Each statement reads a bounded number of rows, whatever is filtered, and does not depend
 * on planner statistics, which the embedded database does not keep: it walks one index, newest first, over a slice of
 * calls (`SCAN_LIMITS`), or asks a GIN index for at most `MAX_INDEX_HITS`. The next page continues after the slice.
 */

const SCAN_LIMITS = [MAX_COUNTED_CALLS + 1, 5_000]
const TEXT_SCAN_LIMITS = [200, 1_000]
/** Maximum hits of a GIN index; more are too many to sort. */
const MAX_INDEX_HITS = 1_500
/** Keys per scan of a GIN index. */
const MAX_INDEX_KEYS = 64
/** Maximum calls that are sorted or added up at once, the newest. More would block the embedded database. */
export const MAX_SET_CALLS = 20_000
/** A word in a larger fraction of the calls is found faster by a scan than by the index. */
const RARE_WORD_FRACTION = 0.005

export interface CallIdPage {
  ids: string[]
  next: string | null
  total: number
  total_capped: boolean
  sorted_among: number | null
}

interface CallPosition {
  at: Date
  id: string
}

export interface CallSearch extends CallQuery {
  parent?: string | undefined
}

export interface CallPageRequest {
  before?: string | undefined
  limit: number
  accessScope?: AccessScope
  sort?: CallSort
  order?: 'asc' | 'desc'
}

export const FAILURE_SQL = `regexp_replace(calls.error_message, '[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+', '#', 'g')`

/** A condition with its values; each `?` stands for one. */
type SqlCondition = [sql: string, ...values: unknown[]]

export async function findCalls(
  database: Database,
  filters: CallSearch,
  { before, limit, accessScope = null, sort = 'started', order = 'desc' }: CallPageRequest,
): Promise<CallIdPage> {
  const isByTime = sort === 'started' && order === 'desc'
  if (before !== undefined && before.includes('_') !== isByTime)
    throw invalidFieldError('query.before', 'must be the `next` of a page in the same order')
  if (!isByTime)
    return findSortedCalls(database, filters, { offset: Number(before ?? 0), limit, accessScope, sort, order })
  const cursor = before === undefined ? null : parseCursor(before)
  return database.transaction(async (client) => {
    const { lead: indexConditions, rest: otherConditions } = await toConditions(client, filters, cursor, accessScope)
    const [indexedConditions, words] = [await toIndexedConditions(client, filters), filters.q]
    const [first, ...others] = indexedConditions
    const indexScan =
      first && !words
        ? await scanCalls(client, 'hits', {
            indexConditions: [first],
            otherConditions: [...indexConditions, ...otherConditions, ...others],
            limit: MAX_INDEX_HITS,
          })
        : null
    if (indexScan?.isComplete) return toCallIdPage(indexScan, limit)
    const all = [...otherConditions, ...indexedConditions, ...toTextConditions(words)]
    let scan = EMPTY_SCAN
    for (const scanLimit of words
      ? TEXT_SCAN_LIMITS
      : all.length > 0
        ? SCAN_LIMITS
        : [cursor ? limit + 1 : MAX_COUNTED_CALLS + 1]) {
      scan = await scanCalls(client, 'walk', { indexConditions, otherConditions: all, limit: scanLimit, words: words })
      if (scan.isComplete || scan.matches.length > limit) return toCallIdPage(scan, limit)
    }
    const hitCondition = first ?? toTextIndexCondition(words)
    if (!words || !hitCondition || scan.wordMatches > RARE_WORD_FRACTION * scan.scannedRows)
      return toCallIdPage(scan, limit)
    const textScan = await scanCalls(client, 'hits', {
      indexConditions: [hitCondition],
      otherConditions: [...indexConditions, ...all],
      limit: MAX_INDEX_HITS,
    })
    return toCallIdPage(textScan.isComplete ? textScan : scan, limit)
  })
}

/** The cursor of the page after a call. */
export const toCursor = ({ at, id }: CallPosition): string => `${at.getTime()}_${id}`

function parseCursor(cursor: string): CallPosition {
  const [at = '0', id = ''] = cursor.split('_')
  return { at: new Date(Number(at)), id }
}

interface ScanResult {
  matches: CallPosition[]
  /** The last scanned call, if there are more. */
  scanEnd: CallPosition | null
  isComplete: boolean
  wordMatches: number
  scannedRows: number
}
const EMPTY_SCAN: ScanResult = { matches: [], scanEnd: null, isComplete: false, wordMatches: 0, scannedRows: 0 }

function toCallIdPage({ matches, scanEnd, isComplete }: ScanResult, limit: number): CallIdPage {
  const last = matches[limit - 1]
  return {
    ids: matches.slice(0, limit).map(({ id }) => id),
    next: matches.length > limit && last ? toCursor(last) : scanEnd && !isComplete ? toCursor(scanEnd) : null,
    total: Math.min(matches.length, MAX_COUNTED_CALLS),
    total_capped: !isComplete || matches.length > MAX_COUNTED_CALLS,
    sorted_among: null,
  }
}

const SORT_VALUES: Record<CallSort, string> = {
  started: 'calls.created_at',
  duration: `calls.${RUN_FIGURES.duration.field}`,
  first_token: `calls.${RUN_FIGURES.firstToken.field}`,
  tokens: `calls.${RUN_FIGURES.tokens.field}`,
  // Prices are compared as numbers; those in different currencies too.
  price: `CASE WHEN calls.total_price ~ '${PRICE_PATTERN}' THEN calls.total_price::numeric END`,
}

async function findSortedCalls(
  database: Database,
  filters: CallSearch,
  {
    offset,
    limit,
    accessScope,
    sort,
    order,
  }: { offset: number; limit: number; accessScope: AccessScope; sort: CallSort; order: 'asc' | 'desc' },
): Promise<CallIdPage> {
  const { rows, scanned, isComplete } = await queryCallSet<SortedRow>(
    database,
    { filters, accessScope },
    {
      columns: `calls.id, ${SORT_VALUES[sort]} AS value`,
      select: `SELECT id, count(*) OVER ()::int AS matches,
          row_number() OVER (ORDER BY value ${order === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, created_at DESC, id DESC)::int AS position
        FROM matched ORDER BY position LIMIT ${limit} OFFSET ${offset}`,
    },
  )
  const ids = rows.sort((one, other) => (one.position ?? 0) - (other.position ?? 0)).flatMap(({ id }) => id ?? [])
  const total = rows[0]?.matches ?? 0
  return {
    ids,
    next: offset + ids.length < total ? String(offset + ids.length) : null,
    total,
    total_capped: !isComplete,
    sorted_among: isComplete ? null : scanned,
  }
}

interface SortedRow {
  id: string | null
  matches: number | null
  position: number | null
}

interface CallSet<Row> {
  rows: Row[]
  scanned: number
  /** Whether these are all that could match; otherwise those since `since`. */
  isComplete: boolean
  since: Date | null
}

/**
 * Selects from the filtered calls as a set, `matched`, with `columns` and `created_at`: all of them if an index has
 * few hits, else the newest. `select` must return at least one row, of nulls if the set is empty.
 */
export function queryCallSet<Row extends object>(
  database: Database,
  { filters, accessScope }: { filters: CallSearch; accessScope: AccessScope },
  { columns, select, values: columnValues = [] }: { columns: string; select: string; values?: unknown[] },
): Promise<CallSet<Row>> {
  return database.transaction(async (client) => {
    const { lead, rest } = await toConditions(client, filters, null, accessScope)
    const words = toTextConditions(filters.q)
    const indexed = await toIndexedConditions(client, filters)
    const hit = indexed[0] ?? toTextIndexCondition(filters.q)
    if (hit) {
      const others = [...lead, ...rest, ...indexed, ...words]
      const set = await query('hits', { indexConditions: [hit], otherConditions: others, limit: MAX_INDEX_HITS + 1 })
      if (set.isComplete) return set
    }
    return query('walk', {
      indexConditions: lead,
      otherConditions: [...rest, ...indexed, ...words],
      limit: words.length > 0 ? (TEXT_SCAN_LIMITS.at(-1) ?? 0) : MAX_SET_CALLS,
    })

    async function query(plan: keyof typeof PLANNER_SETTINGS, scan: ScanRequest): Promise<CallSet<Row>> {
      const values = [...columnValues]
      const fits = toConditionSql(scan.otherConditions, values)
      const where = toConditionSql(scan.indexConditions, values)
      await client.query(PLANNER_SETTINGS[plan])
      const { rows } = await client.query<Row & { scanned: number; since: Date | null }>(
        `WITH slice AS MATERIALIZED (
           SELECT calls.created_at, ${columns}, ${fits} AS fits FROM calls WHERE ${where}
           ${plan === 'walk' ? NEWEST_FIRST : ''} LIMIT ${scan.limit}
         ), matched AS MATERIALIZED (SELECT * FROM slice WHERE fits)
         SELECT bound.*, selected.* FROM (SELECT count(*)::int AS scanned, min(created_at) AS since FROM slice) AS bound
         LEFT JOIN (${select}) AS selected ON true`,
        values,
      )
      const { scanned = 0, since = null } = rows[0] ?? {}
      return { rows, scanned, isComplete: scanned < scan.limit, since }
    }
  })
}

/** One index gives the order: that of the most selective filter. The other conditions are applied to its calls. */
async function toConditions(client: PoolClient, filters: CallSearch, cursor: CallPosition | null, reach: AccessScope) {
  const { workspace, key, status, person, entry, user, version, origin, error } = filters
  const indexConditions: SqlCondition[] = []
  if (filters.from) indexConditions.push(['calls.created_at >= ?::timestamptz', filters.from])
  if (filters.to) indexConditions.push(['calls.created_at < ?::timestamptz', filters.to])
  if (cursor) indexConditions.push(['(calls.created_at, calls.id) < (?::timestamptz, ?::uuid)', cursor.at, cursor.id])
  const entries = entry?.split(',') ?? []
  const optionalConditions = {
    status: status ? (['calls.status = ?', status] as SqlCondition) : null,
    entry: entries.length > 0 ? (['calls.entry = ANY(?::text[])', entries] as SqlCondition) : null,
    person: person ? (['calls.person_id = ?::uuid', await findPersonId(client, person)] as SqlCondition) : null,
    workspace: workspace ? (['calls.workspace_id = ?', workspace] as SqlCondition) : null,
    user: user ? (['calls.end_user = ?', user] as SqlCondition) : null,
    version: version ? (['calls.workflow_id = ?', version] as SqlCondition) : null,
    origin: origin ? (['calls.origin = ?', origin] as SqlCondition) : null,
    error: error ? ([`${FAILURE_SQL} = ?`, error] as SqlCondition) : null,
    reach: reach ? ([SCOPE_CONDITIONS.calls, reach, reach] as SqlCondition) : null,
  }
  if (key) indexConditions.push(['calls.key_id = ?', key])
  else if (optionalConditions.workspace) {
    indexConditions.push(optionalConditions.workspace)
    optionalConditions.workspace = null
    const [one] = entries
    if (optionalConditions.status && status !== 'succeeded') {
      indexConditions.push(optionalConditions.status)
      optionalConditions.status = null
    } else if (optionalConditions.origin) {
      indexConditions.push(optionalConditions.origin)
      optionalConditions.origin = null
    } else if (one && entries.length === 1) {
      indexConditions.push(['calls.entry = ?', one])
      optionalConditions.entry = null
    } else if (optionalConditions.person) {
      indexConditions.push(optionalConditions.person)
      optionalConditions.person = null
    }
  }
  return { lead: indexConditions, rest: Object.values(optionalConditions).filter((condition) => condition !== null) }
}

async function findPersonId(client: PoolClient, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM people WHERE name = $1', [name])
  return rows[0]?.id ?? '00000000-0000-0000-0000-000000000000'
}

/** Selective conditions, each with its own index. */
async function toIndexedConditions(
  client: PoolClient,
  { conversation_id, parent, tag, rating, ids, ...filters }: CallSearch,
): Promise<SqlCondition[]> {
  const conditions: SqlCondition[] = []
  if (ids) conditions.push([`calls.id = ANY(string_to_array(?, ',')::uuid[])`, ids])
  for (const id of [filters.resource, filters.thing])
    if (id) conditions.push(['calls.resource_ids @> ARRAY[?::text]', id])
  if (conversation_id) conditions.push(['calls.conversation_id = ?', conversation_id])
  if (parent) conditions.push(['calls.parent_id = ?::uuid', parent])
  if (tag) conditions.push(['calls.tags @> ARRAY[?::text]', tag])
  if (rating) {
    const { keys, messages } = await findMessagesByRating(client, rating, filters.workspace)
    const groups = toIndexKeyGroups(messages)
    const hasResource = groups.map(() => 'calls.resource_ids && ?::text[]').join(' OR ') || 'false'
    conditions.push([
      `(calls.key_id, calls.message_id) IN (SELECT * FROM unnest(?::uuid[], ?::text[])) AND (${hasResource})`,
      keys,
      messages,
      ...groups,
    ])
  }
  return conditions
}

/** Groups of keys, one scan for each: the time of a GIN scan grows with the square of its keys. */
const toIndexKeyGroups = (keys: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(keys.length / MAX_INDEX_KEYS) }, (_, index) =>
    keys.slice(index * MAX_INDEX_KEYS, (index + 1) * MAX_INDEX_KEYS),
  )

/** Words that a GIN index can find: at least three letters in a row. */
const toTextIndexCondition = (q: string | undefined): SqlCondition | null =>
  q && /[\p{L}\p{N}]{3}/u.test(q) ? ['calls.search_text ILIKE ?', toContainsPattern(q)] : null

const toTextConditions = (q: string | undefined): SqlCondition[] =>
  q ? [['calls.search_text ILIKE ?', toContainsPattern(q)]] : []

// Disabled plan types have a huge estimated cost, which would trigger JIT compilation (0.2 s).
export const PLANNER_SETTINGS = {
  walk: 'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_indexscan = on',
  hits: 'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_sort = on; SET LOCAL enable_indexscan = off',
}

interface ScanRequest {
  indexConditions: SqlCondition[]
  otherConditions: SqlCondition[]
  limit: number
  /** Words, each of which is also searched alone: the index knows nothing of phrases. */
  words?: string | undefined
}

async function scanCalls(
  client: PoolClient,
  plan: keyof typeof PLANNER_SETTINGS,
  scanRequest: ScanRequest,
): Promise<ScanResult> {
  const { sql, values } = toScanSql(plan, scanRequest)
  await client.query(PLANNER_SETTINGS[plan])
  const { rows } = await client.query<{ part: 'fits' | 'end' | 'near' | 'looked'; at: Date; id: string; n: number }>(
    sql,
    values,
  )
  const getPart = (part: string) => rows.filter((row) => row.part === part)
  const end = getPart('end')[0] ?? null
  return {
    matches: getPart('fits'),
    scanEnd: plan === 'walk' ? end : null,
    isComplete: end === null,
    wordMatches: getPart('near')[0]?.n ?? 0,
    scannedRows: getPart('looked')[0]?.n ?? 0,
  }
}

function toScanSql(
  plan: keyof typeof PLANNER_SETTINGS,
  { indexConditions, otherConditions, limit, words }: ScanRequest,
): { sql: string; values: unknown[] } {
  const values: unknown[] = []
  const toSql = (conditions: SqlCondition[]) => toConditionSql(conditions, values)
  const parts = words ? words.split(/\s+/).filter(Boolean) : []
  const sql = `
    WITH slice AS MATERIALIZED (
      SELECT calls.created_at, calls.id, ${toSql(otherConditions)} AS fits, ${toSql(parts.flatMap(toTextConditions))} AS near
      FROM calls WHERE ${toSql(indexConditions)} ${plan === 'walk' ? NEWEST_FIRST : ''} LIMIT ${plan === 'walk' ? limit : limit + 1}
    )
    (SELECT 'fits' AS part, created_at AS at, id, 0 AS n FROM slice WHERE fits ORDER BY created_at DESC, id DESC LIMIT ${MAX_INDEX_HITS})
    UNION ALL (SELECT 'end', created_at, id, 0 FROM slice OFFSET ${plan === 'walk' ? limit - 1 : limit} LIMIT 1)
    UNION ALL SELECT 'near', null, null, count(*)::int FROM slice WHERE near
    UNION ALL SELECT 'looked', null, null, count(*)::int FROM slice`
  return { sql, values }
}

const NEWEST_FIRST = 'ORDER BY calls.created_at DESC, calls.id DESC'

/** Joins conditions with AND; their values are added to `values`. */
const toConditionSql = (conditions: SqlCondition[], values: unknown[]): string =>
  conditions
    .map(([condition, ...given]) => condition.replace(/\?/g, () => `$${values.push(given.shift())}`))
    .join(' AND ') || 'true'
