import { expect, test } from 'vitest'
import type { RunStats, RunAggregate } from '#contract/console/stats.ts'
import { OTHER_SERIES_NAME } from '../../components/charts/chartSeries.ts'
import { toBarSeries, toLineSeries, trimEmptyDays } from './chartSeries.ts'

const sum = (given: Partial<RunAggregate>): RunAggregate => ({
  runs: 1,
  failed: 0,
  unclear: 0,
  tokens: null,
  without_usage: 0,
  p50: null,
  p95: null,
  first_token_p50: null,
  first_token_p95: null,
  ...given,
})
const app = (day: string, key: string, given: Partial<RunAggregate>) => ({ day, workspace: 'w', key, ...sum(given) })
const price = (day: string, key: string, currency: string, total: string) => ({
  day,
  workspace: 'w',
  key,
  currency,
  total,
})
const figures: RunStats = {
  days: ['2026-11-20', '2026-11-21'],
  total: sum({ runs: 9 }),
  by_day: [{ day: '2026-11-21', ...sum({ p50: 10, p95: 20, first_token_p50: 1 }) }],
  by_app: [
    app('2026-11-20', 'a', { tokens: 5, failed: 1 }),
    app('2026-11-21', 'a', { tokens: null, runs: 3 }),
    ...['b', 'c', 'd', 'e'].map((key, index) => app('2026-11-21', key, { tokens: 10 + index })),
  ],
  prices: [
    price('2026-11-20', 'a', 'USD', '0.10'),
    price('2026-11-21', 'a', 'EUR', '7'),
    price('2026-11-21', 'b', 'USD', '0.25'),
  ],
  price_totals: [],
}

test('the largest apps stand apart, the others as one, and a day without tokens has none', () => {
  const bars = toBarSeries(figures, 'tokens', '')
  expect(bars.map(({ name }) => name)).toEqual(['e', 'd', 'c', OTHER_SERIES_NAME])
  expect(bars.at(-1)).toMatchObject({ keys: ['b', 'a'], values: [5, 10] })
  expect(bars[0]?.values).toEqual([null, 13])
})

test('a price is of one currency, and an app without a value is not drawn', () => {
  expect(toBarSeries(figures, 'price', 'USD').map(({ name, values }) => [name, values])).toEqual([
    ['b', [null, 0.25]],
    ['a', [0.1, null]],
  ])
  expect(toBarSeries(figures, 'failed', '').map(({ name }) => name)).toEqual(['a'])
})

test('lines have a gap where nothing was measured', () => {
  expect(toLineSeries(figures, 'answer').map(({ values }) => values)).toEqual([
    [null, 10],
    [null, 20],
  ])
  expect(toLineSeries(figures, 'first_token').map(({ values }) => values)).toEqual([
    [null, 1],
    [null, null],
  ])
})

test('days before the first run are left out of a chart, down to a week', () => {
  const days = Array.from({ length: 14 }, (_, index) => `2026-11-${String(index + 8).padStart(2, '0')}`)
  const since = (day: string) => trimEmptyDays({ ...figures, days, by_day: [{ day, ...sum({}) }] }).days
  expect(since('2026-11-10')).toEqual(days.slice(2))
  expect(since('2026-11-21')).toEqual(days.slice(7))
  expect(trimEmptyDays({ ...figures, days, by_day: [] }).days).toEqual(days)
})
