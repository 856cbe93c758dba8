import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ResourceStore } from '../ledger/resources.ts'
import { RetentionJob } from '../ledger/retention/retentionJob.ts'
import { type Database, openDatabase } from './database.ts'
import { createTestFolder } from './embedded/folder.testing.ts'
import { VacuumScheduler } from './vacuumScheduler.ts'

const WORKSPACE = '00000001-0000-4000-8000-000000000001'
const log = pino({ level: 'silent' })
let folder: string
let database: Database
beforeAll(async () => {
  folder = await createTestFolder()
  database = await openDatabase({ folder })
  await database.pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at) VALUES ($1, 'Tended', 'http://127.0.0.1:1', false, now())`,
    [WORKSPACE],
  )
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function fill(): Promise<void> {
  await database.pool.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, frames, search_text)
     SELECT gen_random_uuid(), 'chat.send', 'succeeded', $1, $1, now() - interval '1 hour', 5, repeat(md5(n::text), 20)
     FROM generate_series(1, 1200) AS n`,
    [WORKSPACE],
  )
  await database.pool.query(
    `INSERT INTO frames(call_id, seq, at, bytes, block) SELECT id, seq, seq, 300, repeat('x', 300) FROM calls, generate_series(1, 5) AS seq`,
  )
}

async function purge(): Promise<void> {
  await database.pool.query(
    `INSERT INTO retention(workspace_id, purge_before) VALUES ($1, now())
     ON CONFLICT (workspace_id) DO UPDATE SET purge_before = now()`,
    [WORKSPACE],
  )
  const retentionJob = new RetentionJob({
    database,
    log,
    resources: new ResourceStore(database.pool, () => expect.unreachable()),
  })
  retentionJob.runSoon()
  await retentionJob.whenIdle()
  expect((await database.pool.query('SELECT 1 FROM calls LIMIT 1')).rows).toEqual([])
  // PostgreSQL writes its statistics at most once a second.
  await database.pool.query('SELECT pg_stat_force_next_flush()')
  await expect.poll(countDeadRows).toBeGreaterThan(1_000)
}

const createScheduler = (isQuiet: boolean) =>
  new VacuumScheduler({ database, log, isQuiet: () => isQuiet, isIdle: () => true })

async function checkOnce(vacuumScheduler: VacuumScheduler): Promise<void> {
  vacuumScheduler.runSoon()
  await vacuumScheduler.whenIdle()
}

const vacuumOnce = () => checkOnce(createScheduler(true))

/** Bytes of the tables and indexes. */
function getTableBytes(): number {
  const base = join(folder, 'database', 'base')
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

const countDeadRows = async () =>
  Number(
    (
      await database.pool.query<{ n: string }>(
        `SELECT n_dead_tup AS n FROM pg_stat_user_tables WHERE relname = 'frames'`,
      )
    ).rows[0]?.n,
  )

it('while something goes on it waits, but not for long', async () => {
  await fill()
  await purge()
  const before = await countDeadRows()
  expect(before).toBeGreaterThan(1_000)
  const vacuumScheduler = createScheduler(false)
  await checkOnce(vacuumScheduler)
  await checkOnce(vacuumScheduler)
  expect(await countDeadRows()).toBe(before)
  await checkOnce(vacuumScheduler)
  expect(await countDeadRows()).toBe(0)
})

it('rows that are deleted right after VACUUM left the indexes as they were are vacuumed too', async () => {
  const vacuumed: string[] = []
  const lines = pino(
    { level: 'info' },
    { write: (line) => vacuumed.push((JSON.parse(line) as { table: string }).table) },
  )
  const options = { database, log: lines, isQuiet: () => true, isIdle: () => false, maxCleanedIndexBytes: 0 }
  const vacuumScheduler = new VacuumScheduler(options)
  for (let cycle = 1; cycle <= 2; cycle++) {
    await fill()
    await purge()
    await checkOnce(vacuumScheduler)
    expect(vacuumed.filter((table) => table === 'frames')).toHaveLength(cycle)
  }
  await checkOnce(vacuumScheduler)
  expect(vacuumed.filter((table) => table === 'frames')).toHaveLength(2)
})

it('what was purged gives its room to what comes: three times filled and purged, the database does not grow', async () => {
  const sizes: number[] = []
  for (let cycle = 0; cycle < 3; cycle++) {
    await fill()
    await database.pool.query('CHECKPOINT')
    sizes.push(getTableBytes())
    await purge()
    await vacuumOnce()
  }
  expect(Math.max(...sizes)).toBeLessThan(1.1 * (sizes[0] ?? 0))
})
