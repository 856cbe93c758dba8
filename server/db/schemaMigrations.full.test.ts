import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { copyMigrations } from './copyMigrations.testing.ts'
import { openDatabase } from './database.ts'
import { startPostgresql } from './postgresql.testing.ts'
import { type MigrationSet, SHIPPED_MIGRATIONS } from './schemaMigrations.ts'
import { ServerPresence } from './serverPresence.ts'
import { StartupError } from './startupError.ts'

const ADDITIVE = 'ALTER TABLE servers ADD COLUMN color text'
const EXCLUSIVE = 'ALTER TABLE servers RENAME COLUMN address TO place'

/** The migrations of a next release, which has one more. */
function createNextRelease(sql: string, isExclusive: boolean): MigrationSet {
  const folder = copyMigrations((entries) => {
    const last = entries.at(-1)
    if (!last) throw new Error('The journal is empty.')
    return [...entries, { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' }]
  })
  writeFileSync(join(folder, 'next.sql'), sql)
  const review = { isExclusive, reason: 'it renames a column' }
  return { folder, reviewed: { ...SHIPPED_MIGRATIONS.reviewed, ...(isExclusive ? { next: review } : {}) } }
}

describeWith(requirements.postgresql)('a release with a new migration, on a database that servers share', () => {
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  const open = async (migrations = SHIPPED_MIGRATIONS) => {
    const log = { info: vi.fn(), warn: vi.fn() }
    return { ...(await openDatabase({ url: postgresql.url, folder: 'unused', migrations, log })), log }
  }
  /** A server of this release, whose last heartbeat is `age` old. @returns its id */
  const addServer = async (age: string, hostname: string) => {
    const { pool, close } = await open()
    const id = randomUUID()
    await pool.query(
      `INSERT INTO servers(id, seen_at, hostname, version) VALUES ($1, now() - $2::interval, $3, '1.0.0')`,
      [id, age, hostname],
    )
    await close()
    return id
  }
  const connect = async () => {
    const client = new Client({ connectionString: postgresql.url })
    await client.connect()
    return client
  }
  const folders: string[] = []
  const nextRelease = (sql: string, isExclusive: boolean) => {
    const migrations = createNextRelease(sql, isExclusive)
    folders.push(migrations.folder)
    return migrations
  }
  beforeAll(async () => {
    postgresql = await startPostgresql()
  })
  afterEach(async () => {
    const client = await connect()
    await client.query(
      'DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS platform, drizzle CASCADE; CREATE SCHEMA public',
    )
    await client.end()
  })
  afterAll(async () => {
    await postgresql.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it('applies an additive one beside servers of the release before, which can start again', async () => {
    await addServer('-1 hour', 'host-a')
    const next = await open(nextRelease(ADDITIVE, false))
    await next.pool.query('SELECT color FROM servers')
    await next.close()

    const before = await open()
    expect(before.log.warn).toHaveBeenCalledWith({ migrations: ['next'] }, expect.stringContaining('newer release'))
    await before.close()
  })

  it('does not start for an exclusive one while such servers live, paused ones too, and names them', async () => {
    const asleep = await addServer('1 minute', 'host-b')
    await addServer('-1 hour', 'host-a')
    await addServer('1 minute', 'host-gone')
    const presence = await new ServerPresence(postgresql.url, asleep).open()
    const migrations = nextRelease(EXCLUSIVE, true)
    const refused = open(migrations)
    await expect(refused).rejects.toBeInstanceOf(StartupError)
    await expect(refused).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(
        /^The migration next cannot be applied.*it renames a column.*\n {2}host-b, release 1\.0\.0\n {2}host-a, release 1\.0\.0$/s,
      ) as string,
    })
    await presence.close()
    // Nothing was changed: the release before goes on.
    const before = await open()
    await before.pool.query('SELECT address FROM servers')
    await before.close()
  })

  it('applies an exclusive one once a killed server counts as dead, and keeps the release before from starting', async () => {
    await addServer('1 second', 'host-a')
    const next = await open(nextRelease(EXCLUSIVE, true))
    await next.pool.query('SELECT place FROM servers')
    await next.close()
    await expect(open()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('written by a newer Loupe, and its migration next changed') as string,
    })
  })
})
