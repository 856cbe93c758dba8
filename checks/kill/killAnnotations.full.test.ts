import { expect, it } from 'vitest'
import { killWhileImporting } from './killAnnotations.ts'

it('an import of 500 annotations that is killed twice, with its platform, loses none and makes none twice', async () => {
  const { counts, ended_before_kill, missing, duplicates } = await killWhileImporting({
    rows: 500,
    kills: 2,
  })
  expect({ lost: missing, twice: duplicates }, `killed after ${ended_before_kill.join(' and ')} rows`).toEqual({
    lost: [],
    twice: [],
  })
  expect(counts.succeeded).toBe(500)
  for (const ended of ended_before_kill) expect(ended).toBeLessThan(500)
})
