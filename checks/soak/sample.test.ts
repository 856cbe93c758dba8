import { expect, it } from 'vitest'
import { type Sample, getHourlySlope } from './sample.ts'

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
