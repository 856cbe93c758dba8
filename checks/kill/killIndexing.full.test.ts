import { expect, it } from 'vitest'
import { killWhileIndexing } from './killIndexing.ts'

it('a Loupe that is killed while it indexes has each acknowledged document afterwards, completed and whole', async () => {
  const cycles = await killWhileIndexing({ cycles: 2, documents: 60 })
  expect(cycles.map(({ problems }) => problems)).toEqual([[], []])
  // It was in the middle of it.
  for (const { acknowledged, completed_before_kill } of cycles) expect(completed_before_kill).toBeLessThan(acknowledged)
  expect(cycles.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThanOrEqual(60)
})
