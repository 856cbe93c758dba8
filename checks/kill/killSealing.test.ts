import { expect, it } from 'vitest'
import { killWhileSealing } from './killSealing.ts'

it('a Loupe that is killed while it seals frames has each of them once, and as it came', async () => {
  const cycles = await killWhileSealing({ cycles: 2, runs: 400 })
  expect(cycles.flatMap(({ problems }) => problems)).toEqual([])
  // The kills came in the middle of the work.
  expect(cycles[0]?.sealed).toBeGreaterThan(0)
  expect(cycles[0]?.journaled).toBeGreaterThan(0)
})
