import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import type { ServerList } from '#contract/console/servers.ts'
import { signIn } from '../checks/kill/consoleClient.ts'
import { copyMigrations } from './db/copyMigrations.testing.ts'
import { startPostgresql } from './db/postgresql.testing.ts'

/** What each server may use, with a margin. */
const CONNECTIONS_PER_SERVER = 25

/** A database of the first release, with the tables before their names were changed. */
async function createFirstSchema(url: string): Promise<void> {
  const folder = copyMigrations((entries) => entries.slice(0, 1))
  const pool = new Pool({ connectionString: url })
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
  await migrate(drizzle(pool), { migrationsFolder: folder })
  await pool.end()
  rmSync(folder, { recursive: true, force: true })
}

describeWith(requirements.postgresql)('servers that start at once', () => {
  it.each([
    [20, 'an empty PostgreSQL', () => Promise.resolve()],
    [8, 'a PostgreSQL of the first release', createFirstSchema],
  ])('%i on %s all come up and know each other', async (count, _name, prepare) => {
    const postgresql = await startPostgresql({ maxConnections: count * CONNECTIONS_PER_SERVER })
    await prepare(postgresql.url)
    const env = {
      DATABASE_URL: postgresql.url,
      MASTER_KEY: randomBytes(32).toString('hex'),
      PLATFORM: 'off',
      DRAIN_SECONDS: '0',
    }
    const servers = Array.from({ length: count }, () => new LoupeProcess(env))
    try {
      await Promise.all(servers.map((server) => server.start()))
      const ready = await Promise.all(servers.map(async ({ url }) => (await fetch(`${url}/readyz`)).json()))
      expect(ready).toEqual(servers.map(() => ({ ready: true })))
      const [first] = servers
      const { send } = await signIn(first as LoupeProcess)
      await expect
        .poll(async () => {
          const { data } = await send<ServerList>('GET', '/api/servers')
          return data.filter(({ state, address }) => state === 'ready' && address !== null).length
        })
        .toBe(count)
      const stranger = new LoupeProcess({ ...env, MASTER_KEY: randomBytes(32).toString('hex') })
      await expect(stranger.start()).rejects.toThrow(
        /exited with 78:[^]*\nThe master key of MASTER_KEY is not the one of this database/,
      )
      await stranger.remove()
    } finally {
      await Promise.all(servers.map((server) => server.remove()))
      await postgresql.stop()
    }
  })
})
