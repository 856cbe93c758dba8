import { expect, it } from 'vitest'
import { killWhileSealing } from './killSealing.ts'

it('a Loupe that is killed while it seals frames has each of them once, and as it came', async () => {
  const cycles = await killWhileSealing({ cycles: 3, runs: 400 })
  expect(cycles.flatMap(({ problems }) => problems)).toEqual([])
  // A kill came in the middle of the work.
  expect(cycles.some(({ sealed, journaled }) => sealed > 0 && journaled > 0)).toBe(true)
})
