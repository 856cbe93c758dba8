import { expect, it } from 'vitest'
import { killWhileImporting } from './kill/annotations.ts'
import { killWhileBatch } from './kill/batch.ts'
import { killWhileIndexing } from './kill/indexing.ts'
import { killWhileStreaming } from './kill/streams.ts'

it('a Loupe that is killed while it reads thirty streams has every frame that it has shown, and ends each run', async () => {
  const cycles = await killWhileStreaming({ cycles: 2, streams: 30 })
  expect(cycles.flatMap(({ problems }) => problems)).toEqual([])
}, 120_000)

it('a Loupe that is killed while it indexes has each acknowledged document afterwards, completed and whole', async () => {
  const cycles = await killWhileIndexing({ cycles: 2, documents: 60, tell: () => undefined })
  expect(cycles.map(({ problems }) => problems)).toEqual([[], []])
  // It was in the middle of it.
  for (const { acknowledged, completed_before } of cycles) expect(completed_before).toBeLessThan(acknowledged)
  expect(cycles.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThanOrEqual(60)
}, 240_000)

it('a Loupe that is killed twice while it works on a batch of 300 sends no row twice, and says which may have been sent', async () => {
  const { counts, ended_before, problems } = await killWhileBatch({ rows: 300, kills: 2 })
  expect(problems).toEqual([])
  expect(counts.succeeded + counts.unknown).toBe(300)
  // At most those that were under way are unknown, and it was in the middle of it both times.
  expect(counts.unknown).toBeLessThanOrEqual(16)
  for (const ended of ended_before) expect(ended).toBeLessThan(300)
}, 240_000)

it('an import of 500 annotations that is killed twice, with its platform, loses none and makes none twice', async () => {
  const { counts, ended_before, lost, twice } = await killWhileImporting({ rows: 500, kills: 2, chance: Math.random })
  expect({ lost, twice }, `killed after ${ended_before.join(' and ')} rows`).toEqual({ lost: [], twice: [] })
  expect(counts.succeeded).toBe(500)
  for (const ended of ended_before) expect(ended).toBeLessThan(500)
}, 240_000)
