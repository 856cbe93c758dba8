import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillLedger, type FilledLedger, RARE_PHRASE } from '../../bench/ledger/filledLedger.ts'
import { withRecordedPlans, findSequentialScans } from '../../bench/ledger/explainPlans.ts'
import { listLedgerQueries } from '../../bench/ledger/ledgerQueries.ts'
import type { CallQuery } from '#contract/console/callQuery.ts'
import type { Database } from '../db/database.ts'
import { openEmptyDatabase } from '../db/embedded/databasePool.testing.ts'
import { findCalls } from './callSearch.ts'
import { computeCallStats } from './callStats.ts'
import { ResourceStore } from './resources.ts'
import { RetentionJob } from './retention/retentionJob.ts'

const CALL_COUNT = 4_000
let database: Database
let filledLedger: FilledLedger
beforeAll(async () => {
  database = await openEmptyDatabase()
  filledLedger = await fillLedger(database, CALL_COUNT, 2 * CALL_COUNT)
})
afterAll(async () => {
  await database.close()
})

/** All calls of a list, page by page. */
async function findAllPages(filters: CallQuery, limit = 100): Promise<string[]> {
  const found: string[] = []
  for (let before: string | undefined; ;) {
    const page = await findCalls(database, filters, { before, limit })
    found.push(...page.ids)
    if (page.next === null) return found
    before = page.next
  }
}

async function findExpected(condition: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE ${condition} ORDER BY created_at DESC, id DESC`,
    values,
  )
  return rows.map(({ id }) => id)
}

const searches: [string, (ledger: FilledLedger) => CallQuery, string, (ledger: FilledLedger) => unknown[]][] = [
  ['no filter', () => ({}), 'true', () => []],
  ['a workspace', ({ workspace }) => ({ workspace }), 'workspace_id = $1', ({ workspace }) => [workspace]],
  [
    'a rare state',
    ({ workspace }) => ({ workspace, status: 'failed' }),
    `workspace_id = $1 AND status = 'failed'`,
    ({ workspace }) => [workspace],
  ],
  [
    'a state, an app, a person and operations',
    ({ key, person }) => ({
      key,
      status: 'succeeded',
      person,
      entry: 'chat.send,workflows.run',
    }),
    `key_id = $1 AND status = 'succeeded' AND entry IN ('chat.send', 'workflows.run')
     AND person_id = (SELECT id FROM people WHERE name = $2)`,
    ({ key, person }) => [key, person],
  ],
  ['a phrase in few calls', () => ({ q: RARE_PHRASE }), 'search_text LIKE $1', () => [`%${RARE_PHRASE}%`]],
  [
    'two signs, which have no trigram',
    () => ({ q: RARE_PHRASE.slice(1, 3) }),
    'search_text LIKE $1',
    () => [`%${RARE_PHRASE.slice(1, 3)}%`],
  ],
  ['an error text', () => ({ q: 'server unavailable' }), `search_text ILIKE '%server unavailable%'`, () => []],
  ['a word in most calls', () => ({ q: 'guce' }), `search_text ILIKE '%guce%'`, () => []],
  [
    'where runs began',
    ({ workspace }) => ({ workspace, origin: 'batch' }),
    `workspace_id = $1 AND origin = 'batch'`,
    ({ workspace }) => [workspace],
  ],
  ['a tag', () => ({ tag: 'to review' }), `'to review' = ANY(tags)`, () => []],
  [
    'answers rated down',
    ({ workspace }) => ({ workspace, rating: 'dislike' }),
    `workspace_id = $1 AND entry <> 'adjacent.feedback' AND resource_ids[2] IN (SELECT resource_ids[1] FROM calls
       WHERE entry = 'adjacent.feedback' AND request->>'rating' = 'dislike')`,
    ({ workspace }) => [workspace],
  ],
  [
    'answers rated down, in any workspace, with words',
    () => ({ rating: 'dislike', q: 'guce' }),
    `search_text ILIKE '%guce%' AND resource_ids[2] IN (SELECT resource_ids[1] FROM calls
       WHERE entry = 'adjacent.feedback' AND request->>'rating' = 'dislike')`,
    () => [],
  ],
  ['a version', ({ key }) => ({ key, version: 'v2' }), `key_id = $1 AND workflow_id = 'v2'`, ({ key }) => [key]],
  [
    'a failure, whatever its numbers',
    ({ workspace }) => ({ workspace, error: 'The node timed out after # s' }),
    `workspace_id = $1 AND error_message LIKE 'The node timed out after %'`,
    ({ workspace }) => [workspace],
  ],
  ['what reads like a pattern', () => ({ q: '%' }), 'false', () => []],
]

it.each(searches)('pages of %s hold each call once, in order', async (_name, filters, condition, values) => {
  const expected = await findExpected(condition, values(filledLedger))
  expect(await findAllPages(filters(filledLedger))).toEqual(expected)
  expect(await findAllPages(filters(filledLedger), 37)).toEqual(expected)
})

it('an id finds the calls that touched it, whoever made them', async () => {
  const { rows } = await database.pool.query<{ resource_ids: string[] }>(
    'SELECT resource_ids FROM calls LIMIT 1 OFFSET 40',
  )
  const resource = rows[0]?.resource_ids[0] ?? ''
  const found = await findCalls(database, { resource }, { limit: 100 })
  expect(found).toMatchObject({ total: 8, total_capped: false, next: null })
  expect(found.ids).toEqual(await findExpected('resource_ids @> ARRAY[$1]', [resource]))
})

it('what is counted is said to be more, where it is', async () => {
  expect(await findCalls(database, {}, { limit: 20 })).toMatchObject({ total: 1000, total_capped: true })
  const failed = (await findExpected(`workspace_id = $1 AND status = 'failed'`, [filledLedger.workspace])).length
  const few = await findCalls(database, { workspace: filledLedger.workspace, status: 'failed' }, { limit: 20 })
  expect(few).toMatchObject({ total: failed, total_capped: false })
  expect(await findCalls(database, { person: 'Nobody' }, { limit: 20 })).toMatchObject({ ids: [], total_capped: false })
})

it.each([
  ['duration', 'desc', 'duration_ms DESC NULLS LAST'],
  ['first_token', 'asc', 'first_token_ms ASC NULLS LAST'],
  ['price', 'desc', 'total_price::numeric DESC NULLS LAST'],
  ['started', 'asc', 'created_at ASC'],
] as const)('pages sorted by %s, %s, hold each call once, in that order', async (sort, order, by) => {
  const filters = { workspace: filledLedger.workspace, status: 'failed' } as const
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE workspace_id = $1 AND status = 'failed' ORDER BY ${by}, created_at DESC, id DESC`,
    [filledLedger.workspace],
  )
  const found: string[] = []
  for (let before: string | undefined; ;) {
    const page = await findCalls(database, filters, { before, limit: 37, sort, order })
    expect(page).toMatchObject({ total: rows.length, sorted_among: null })
    found.push(...page.ids)
    if (page.next === null) break
    before = page.next
  }
  expect(found).toEqual(rows.map(({ id }) => id))
})

it('a page of another order is refused', async () => {
  const { next } = await findCalls(database, {}, { limit: 1 })
  await expect(
    findCalls(database, {}, { before: next ?? '', limit: 1, sort: 'duration', order: 'desc' }),
  ).rejects.toThrow('query.before')
})

it('a search that finds more than an index is asked for is sorted among the newest calls, and says among how many', async () => {
  const page = await findCalls(database, { q: 'guce' }, { limit: 5, sort: 'duration', order: 'desc' })
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM (SELECT * FROM calls ORDER BY created_at DESC, id DESC LIMIT 1000) AS newest WHERE search_text ILIKE '%guce%'
     ORDER BY duration_ms DESC, created_at DESC LIMIT 5`,
  )
  expect(page).toMatchObject({ ids: rows.map(({ id }) => id), sorted_among: 1000, total_capped: true })
})

describe('totals', () => {
  const keyFilters = () => ({ key: filledLedger.key, entry: 'chat.send' })
  const where = `key_id = $1 AND entry = 'chat.send'`
  type Group = Parameters<typeof computeCallStats>[2]['group']
  const computeStats = (filters: CallQuery, group: Group, zone = 'UTC', accessScope: string[] | null = null) =>
    computeCallStats(database, filters, { group, zone, accessScope })

  it('and percentiles are those of the filtered calls', async () => {
    const { total, is_complete: isComplete, groups } = await computeStats(keyFilters(), 'day', 'Asia/Tokyo')
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `SELECT count(*)::int AS calls, count(*) FILTER (WHERE status = 'failed')::int AS failed, sum(total_tokens)::int AS tokens,
         percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE status = 'succeeded') AS p95,
         count(DISTINCT (created_at AT TIME ZONE 'Asia/Tokyo')::date)::int AS days
       FROM calls WHERE ${where}`,
      [filledLedger.key],
    )
    const { days, ...expected } = rows[0] ?? {}
    expect(total).toMatchObject({ ...expected, unclear: 0, without_usage: 0 })
    expect(total.prices).toEqual([{ currency: 'USD', total: String(Number((0.0012 * total.calls).toFixed(4))) }])
    expect(isComplete).toBe(true)
    expect(groups).toHaveLength(Number(days))
    expect(groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls)
  })

  it.each([
    ['person', 'people.name', 'JOIN people ON people.id = calls.person_id'],
    ['conversation', 'conversation_id', ''],
    ['version', 'workflow_id', ''],
    ['origin', 'origin', ''],
  ] as const)('of groups by %s add up, the largest first', async (group, value, join) => {
    const { groups, groups_capped: isCapped } = await computeStats(keyFilters(), group)
    const { rows } = await database.pool.query<{ value: string | null; calls: number }>(
      `SELECT ${value} AS value, count(*)::int AS calls FROM calls ${join} WHERE calls.${where} GROUP BY 1 ORDER BY 2 DESC, max(calls.created_at) DESC`,
      [filledLedger.key],
    )
    expect(isCapped).toBe(rows.length > 100)
    expect(groups.map((one) => [one.value, one.calls])).toEqual(rows.slice(0, 100).map((row) => [row.value, row.calls]))
  })

  it('put failures together that differ in their numbers alone, and leave out what did not fail', async () => {
    const { groups } = await computeStats({ workspace: filledLedger.workspace }, 'failure')
    expect(groups.map(({ value }) => value).sort()).toEqual([
      'Model gpt-#o quota is exceeded',
      'Provider Server Unavailable Error',
      'The node timed out after # s',
    ])
  })

  it('never count what a person may not see', async () => {
    const scope = ['10000000-0000-4000-8000-000000000000', filledLedger.key]
    const all = await computeStats({ workspace: filledLedger.workspace }, 'app', 'UTC', scope)
    expect(all.groups.map(({ value }) => value)).toEqual([filledLedger.key])
    expect(all.total.calls).toBe(all.groups[0]?.calls)
    const none = await computeStats({}, 'conversation', 'UTC', scope.slice(0, 1))
    expect(none).toMatchObject({ total: { calls: 0, p50: null, tokens: null }, groups: [] })
  })
})

it('no statement of a list, a search or the home page reads a table from end to end', async () => {
  const { heard, plans } = withRecordedPlans(database)
  const paths = listLedgerQueries(filledLedger)
  for (const { run } of paths) await run(heard)
  expect(plans.length).toBeGreaterThan(paths.length)
  expect(findSequentialScans(plans)).toEqual([])
})

it('nor does a statement of the sweeper', async () => {
  const { heard, plans } = withRecordedPlans(database)
  await database.pool.query('INSERT INTO retention(workspace_id, keep_days, keep_megabytes) VALUES ($1, 29, 1)', [
    filledLedger.workspace,
  ])
  await database.pool.query(`INSERT INTO erasures(workspace_id, end_user, before) VALUES ($1, 'person-1', now())`, [
    filledLedger.workspace,
  ])
  const retentionJob = new RetentionJob({
    database: heard,
    log: pino({ level: 'silent' }),
    resources: new ResourceStore(heard.pool, () => expect.unreachable()),
  })
  retentionJob.runSoon()
  await retentionJob.whenIdle()
  expect(plans.length).toBeGreaterThan(3)
  expect(findSequentialScans(plans)).toEqual([])
  const { rows } = await database.pool.query<{ removed: string }>('SELECT removed FROM retention')
  expect(Number(rows[0]?.removed)).toBeGreaterThan(0)
  expect(await findExpected(`workspace_id = $1 AND end_user = 'person-1'`, [filledLedger.workspace])).toEqual([])
  expect(await findExpected(`workspace_id = $1 AND end_user = 'person-2'`, [filledLedger.workspace])).not.toEqual([])
})
