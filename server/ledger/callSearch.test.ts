import { rmSync } from 'node:fs'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillLedger, type FilledLedger, RARE_PHRASE } from '../../bench/ledger/filledLedger.ts'
import { withRecordedPlans, findSequentialScans } from '../../bench/ledger/explainPlans.ts'
import { listLedgerQueries } from '../../bench/ledger/ledgerQueries.ts'
import type { CallQuery } from '#contract/console/calls.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createTestFolder } from '../db/embedded/folder.testing.ts'
import { findCalls } from './callSearch.ts'
import { RetentionJob } from './retention/retentionJob.ts'

const CALL_COUNT = 4_000
let folder: string
let database: Database
let filledLedger: FilledLedger
beforeAll(async () => {
  folder = await createTestFolder()
  database = await openDatabase({ folder })
  filledLedger = await fillLedger(database, CALL_COUNT, 2 * CALL_COUNT)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
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

const searches: [string, () => CallQuery, string, () => unknown[]][] = [
  ['no filter', () => ({}), 'true', () => []],
  ['a workspace', () => ({ workspace: filledLedger.workspace }), 'workspace_id = $1', () => [filledLedger.workspace]],
  [
    'a rare state',
    () => ({ workspace: filledLedger.workspace, status: 'failed' }),
    `workspace_id = $1 AND status = 'failed'`,
    () => [filledLedger.workspace],
  ],
  [
    'a state, an app, a person and operations',
    () => ({
      key: filledLedger.key,
      status: 'succeeded',
      person: filledLedger.person,
      entry: 'chat.send,workflows.run',
    }),
    `key_id = $1 AND status = 'succeeded' AND entry IN ('chat.send', 'workflows.run')
     AND person_id = (SELECT id FROM people WHERE name = $2)`,
    () => [filledLedger.key, filledLedger.person],
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
  ['what reads like a pattern', () => ({ q: '%' }), 'false', () => []],
]

it.each(searches)('pages of %s hold each call once, in order', async (_name, filters, condition, values) => {
  const expected = await findExpected(condition, values())
  expect(await findAllPages(filters())).toEqual(expected)
  expect(await findAllPages(filters(), 37)).toEqual(expected)
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
  const retentionJob = new RetentionJob({ database: heard, log: pino({ level: 'silent' }) })
  retentionJob.runSoon()
  await retentionJob.whenIdle()
  expect(plans.length).toBeGreaterThan(3)
  expect(findSequentialScans(plans)).toEqual([])
  const { rows } = await database.pool.query<{ removed: string }>('SELECT removed FROM retention')
  expect(Number(rows[0]?.removed)).toBeGreaterThan(0)
})
