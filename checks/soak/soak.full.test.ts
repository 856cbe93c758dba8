import { expect, it } from 'vitest'
import { soak } from './soak.ts'

it('a Loupe at work for some seconds answers everybody, loses no frame, and lets go of every run', async () => {
  const { samples, idle, tally } = await soak({ duration_ms: 6_000, interval_ms: 1_500, streams: 5, rate: 200 })
  expect(tally.problems).toEqual([])
  expect(tally.streams).toBeGreaterThanOrEqual(5)
  expect(samples.flatMap((sample) => Object.values(sample)).every(Number.isFinite)).toBe(true)
  expect(idle.runs).toBe(0)
})
