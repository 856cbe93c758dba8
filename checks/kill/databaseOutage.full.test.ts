import { expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { simulateOutages } from './databaseOutage.ts'

describeWith(requirements.postgresql)('a console whose PostgreSQL goes away', () => {
  it('says so, keeps every frame that it has shown, and goes on by itself', async () => {
    const postgresql = await startPostgresql()
    try {
      const all = await simulateOutages({
        database: postgresql,
        streams: 6,
        outages: [
          { state: 'gone', ms: 100 },
          { state: 'gone', ms: 1_000 },
          { state: 'stalled', ms: 1_000 },
          { state: 'gone', ms: 3_000 },
          { state: 'crashed', ms: 1_000 },
        ],
      })
      expect(all.flatMap(({ problems }) => problems)).toEqual([])
      for (const { state, read, ready, health, unsaid } of all) {
        expect(Object.keys(health)).toEqual(['200'])
        expect(unsaid).toBe(0)
        // Where the line stalls for less than a statement may take an answer is late.
        expect([Object.keys(read), Object.keys(ready)]).toEqual(
          state === 'stalled' ? [['200'], expect.any(Array)] : [['503'], ['503']],
        )
      }
    } finally {
      await postgresql.stop()
    }
  })
})
