import { expect, it } from 'vitest'
import { type Sample, getHourlySlope } from './sample.ts'
import { soak } from './soak.ts'

const sampleAt = (at: number, rss: number): Sample => ({
  ...{ at, rss, heap: 1, external: 1, fds: 1, handles: 1, runs: 0, database: 1 },
})

it('what a figure gains in an hour is the slope of the line through its samples', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => minute)
  expect(
    getHourlySlope(
      minutes.map((minute) => sampleAt(minute * 60, 100 + 2 * minute)),
      'rss',
    ),
  ).toBeCloseTo(120)
  const noisy = minutes.map((minute) => sampleAt(minute * 60, 100 + (minute % 2)))
  expect(Math.abs(getHourlySlope(noisy, 'rss') ?? Infinity)).toBeLessThan(1)
  expect(getHourlySlope([sampleAt(0, 1)], 'rss')).toBeNull()
})

it('a Loupe at work for some seconds answers everybody, loses no frame, and lets go of every run', async () => {
  const { samples, idle, tally } = await soak({ duration_ms: 6_000, interval_ms: 1_500, streams: 5, rate: 200 })
  expect(tally.problems).toEqual([])
  expect(tally.streams).toBeGreaterThanOrEqual(5)
  expect(samples.flatMap((sample) => Object.values(sample)).every(Number.isFinite)).toBe(true)
  expect(idle.runs).toBe(0)
})
