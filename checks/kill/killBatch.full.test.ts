import { expect, it } from 'vitest'
import { killWhileBatch } from './killBatch.ts'

it('a Loupe that is killed twice while it works on a batch of 300 sends no row twice, and says which may have been sent', async () => {
  const { counts, ended_before_kill, problems } = await killWhileBatch({ rows: 300, kills: 2 })
  expect(problems).toEqual([])
  expect(counts.succeeded + counts.unknown).toBe(300)
  // At most those that were under way are unknown, and it was in the middle of it both times.
  expect(counts.unknown).toBeLessThanOrEqual(16)
  for (const ended of ended_before_kill) expect(ended).toBeLessThan(300)
})
