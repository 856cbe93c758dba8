import { expect, it } from 'vitest'
import { postgresqlPrograms, startPostgresql } from '../server/database/postgresql.testing.ts'
import { killServers } from './kill/servers.ts'

const programs = postgresqlPrograms()

if (!programs)
  console.warn('This machine has no PostgreSQL (Debian: apt install postgresql): several servers are not tried.')
else
  it('three servers on one PostgreSQL that are killed in turn show each frame once, send nothing twice, and end each run', async () => {
    const postgresql = await startPostgresql(programs)
    try {
      const { cycles, batch } = await killServers({
        servers: 3,
        kills: 3,
        streams: 24,
        rows: 1_000,
        url: postgresql.url,
      })
      expect(cycles.flatMap(({ problems }) => problems)).toEqual([])
      expect(batch.succeeded + batch.unknown).toBe(1_000)
      // It was in the middle of it: streams went on elsewhere, and what a server had at its death broke off.
      expect(cycles.reduce((sum, { resumed }) => sum + resumed, 0)).toBeGreaterThan(0)
      expect(cycles.reduce((sum, { ends }) => sum + (ends.interrupted ?? 0), 0)).toBeGreaterThan(0)
    } finally {
      await postgresql.stop()
    }
  }, 240_000)
