import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import { CheckpointJob } from './checkpointJob.ts'
import { createTestFolder } from './folder.testing.ts'

const BYTES_PER_MIB = 1024 * 1024
/** Of 16 MiB each. */
const MAX_SEGMENTS = 4
const ROW_BYTES = 1_000
let folder: string
let database: Database
beforeAll(async () => {
  folder = await createTestFolder()
  database = await openDatabase({ folder })
  await database.pool.query('CREATE TABLE written(text text)')
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (bytes: number) =>
  database.pool.query('INSERT INTO written SELECT repeat($1, $2) FROM generate_series(1, $3)', [
    'x',
    ROW_BYTES,
    Math.floor(bytes / ROW_BYTES),
  ])
const countSegments = () =>
  readdirSync(join(folder, 'database', 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length

const readCheckpoint = async () =>
  (await database.pool.query<{ at: string }>('SELECT redo_lsn::text AS at FROM pg_control_checkpoint()')).rows[0]?.at

async function checkpointOnce(): Promise<void> {
  const job = new CheckpointJob({ pool: database.pool, log: pino({ level: 'silent' }) })
  job.runSoon()
  await job.whenIdle()
}

it('leaves a short log alone', async () => {
  const before = await readCheckpoint()
  await write(BYTES_PER_MIB)
  await checkpointOnce()
  expect(await readCheckpoint()).toBe(before)
})

it('keeps the log short, whatever is written', async () => {
  const before = await readCheckpoint()
  for (let written = 0; written < 160; written += 16) {
    await write(16 * BYTES_PER_MIB)
    await checkpointOnce()
  }
  expect(await readCheckpoint()).not.toBe(before)
  expect(countSegments()).toBeLessThanOrEqual(MAX_SEGMENTS)
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM written')
  expect(rows[0]?.count).toBe(Math.floor(BYTES_PER_MIB / ROW_BYTES) + 10 * Math.floor((16 * BYTES_PER_MIB) / ROW_BYTES))
})
