import { rmSync } from 'node:fs'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillLedger, type Filled, RARE } from '../../bench/ledger-store.ts'
import { explained, sequential } from '../../bench/explain.ts'
import { pathsOf } from '../../bench/ledger-paths.ts'
import type { CallFilters } from '#contract/calls.ts'
import { type Database, open } from '../database/database.ts'
import { newFolder } from '../database/folder.testing.ts'
import { findCalls } from './search.ts'
import { Sweeper } from './sweeper.ts'

const CALLS = 4_000
let folder: string
let database: Database
let filled: Filled
beforeAll(async () => {
  folder = await newFolder()
  database = await open({ folder })
  filled = await fillLedger(database, CALLS, 2 * CALLS)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All calls of a list, page by page. */
async function all(filters: CallFilters, limit = 100): Promise<string[]> {
  const found: string[] = []
  for (let before: string | undefined; ;) {
    const page = await findCalls(database, filters, { before, limit })
    found.push(...page.ids)
    if (page.next === null) return found
    before = page.next
  }
}

async function told(condition: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE ${condition} ORDER BY created_at DESC, id DESC`,
    values,
  )
  return rows.map(({ id }) => id)
}

const searches: [string, () => CallFilters, string, () => unknown[]][] = [
  ['no filter', () => ({}), 'true', () => []],
  ['a workspace', () => ({ workspace: filled.workspace }), 'workspace_id = $1', () => [filled.workspace]],
  [
    'a rare state',
    () => ({ workspace: filled.workspace, status: 'failed' }),
    `workspace_id = $1 AND status = 'failed'`,
    () => [filled.workspace],
  ],
  [
    'a state, an app, a person and operations',
    () => ({ key: filled.key, status: 'succeeded', person: filled.person, entry: 'chat.send,workflows.run' }),
    `key_id = $1 AND status = 'succeeded' AND entry IN ('chat.send', 'workflows.run')
     AND person_id = (SELECT id FROM people WHERE name = $2)`,
    () => [filled.key, filled.person],
  ],
  ['a phrase in few calls', () => ({ q: RARE }), 'words LIKE $1', () => [`%${RARE}%`]],
  [
    'two signs, which have no trigram',
    () => ({ q: RARE.slice(1, 3) }),
    'words LIKE $1',
    () => [`%${RARE.slice(1, 3)}%`],
  ],
  ['an error text', () => ({ q: 'server unavailable' }), `words ILIKE '%server unavailable%'`, () => []],
  ['a word in most calls', () => ({ q: 'guce' }), `words ILIKE '%guce%'`, () => []],
  ['what reads like a pattern', () => ({ q: '%' }), 'false', () => []],
]

it.each(searches)('pages of %s hold each call once, in order', async (_name, filters, condition, values) => {
  const expected = await told(condition, values())
  expect(await all(filters())).toEqual(expected)
  expect(await all(filters(), 37)).toEqual(expected)
})

it('an id finds the calls that touched it, whoever made them', async () => {
  const { rows } = await database.pool.query<{ touched: string[] }>('SELECT touched FROM calls LIMIT 1 OFFSET 40')
  const thing = rows[0]?.touched[0] ?? ''
  const found = await findCalls(database, { thing }, { limit: 100 })
  expect(found).toMatchObject({ total: 8, beyond: false, next: null })
  expect(found.ids).toEqual(await told('touched @> ARRAY[$1]', [thing]))
})

it('what is counted is said to be more, where it is', async () => {
  expect(await findCalls(database, {}, { limit: 20 })).toMatchObject({ total: 1000, beyond: true })
  const failed = (await told(`workspace_id = $1 AND status = 'failed'`, [filled.workspace])).length
  const few = await findCalls(database, { workspace: filled.workspace, status: 'failed' }, { limit: 20 })
  expect(few).toMatchObject({ total: failed, beyond: false })
  expect(await findCalls(database, { person: 'Nobody' }, { limit: 20 })).toMatchObject({ ids: [], beyond: false })
})

it('no statement of a list, a search or the home page reads a table from end to end', async () => {
  const { heard, plans } = explained(database)
  const paths = pathsOf(filled)
  for (const { ask } of paths) await ask(heard)
  expect(plans.length).toBeGreaterThan(paths.length)
  expect(sequential(plans)).toEqual([])
})

it('nor does a statement of the sweeper', async () => {
  const { heard, plans } = explained(database)
  await database.pool.query('INSERT INTO retention(workspace_id, keep_days, keep_megabytes) VALUES ($1, 29, 1)', [
    filled.workspace,
  ])
  const sweeper = new Sweeper({ database: heard, log: pino({ level: 'silent' }) })
  sweeper.poke()
  await sweeper.settled()
  expect(plans.length).toBeGreaterThan(3)
  expect(sequential(plans)).toEqual([])
  const { rows } = await database.pool.query<{ removed: string }>('SELECT removed FROM retention')
  expect(Number(rows[0]?.removed)).toBeGreaterThan(0)
})
