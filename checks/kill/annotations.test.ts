import { expect, it } from 'vitest'
import { killWhileImporting } from './annotations.ts'

it('an import of 500 annotations that is killed twice, with its platform, loses none and makes none twice', async () => {
  const { counts, ended_before, lost, twice } = await killWhileImporting({ rows: 500, kills: 2, chance: Math.random })
  expect({ lost, twice }, `killed after ${ended_before.join(' and ')} rows`).toEqual({ lost: [], twice: [] })
  expect(counts.succeeded).toBe(500)
  for (const ended of ended_before) expect(ended).toBeLessThan(500)
})
