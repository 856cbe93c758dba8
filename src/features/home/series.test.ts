import { expect, test } from 'vitest'
import type { Figures, Sum } from '#contract/figures.ts'
import { barsOf, linesOf, REST, shareOf, short, standsAlone } from './series.ts'

const sum = (given: Partial<Sum>): Sum => ({
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
const app = (day: string, key: string, given: Partial<Sum>) => ({ day, workspace: 'w', key, ...sum(given) })
const price = (day: string, key: string, currency: string, total: string) => ({
  day,
  workspace: 'w',
  key,
  currency,
  total,
})
const figures: Figures = {
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
  const bars = barsOf(figures, 'tokens', '')
  expect(bars.map(({ name }) => name)).toEqual(['e', 'd', 'c', REST])
  expect(bars.at(-1)).toMatchObject({ keys: ['b', 'a'], values: [5, 10] })
  expect(bars[0]?.values).toEqual([null, 13])
})

test('a price is of one currency, and an app without a value is not drawn', () => {
  expect(barsOf(figures, 'price', 'USD').map(({ name, values }) => [name, values])).toEqual([
    ['b', [null, 0.25]],
    ['a', [0.1, null]],
  ])
  expect(barsOf(figures, 'failed', '').map(({ name }) => name)).toEqual(['a'])
})

test('lines have a gap where nothing was measured', () => {
  expect(linesOf(figures, 'answer').map(({ values }) => values)).toEqual([
    [null, 10],
    [null, 20],
  ])
  expect(linesOf(figures, 'first_token').map(({ values }) => values)).toEqual([
    [null, 1],
    [null, null],
  ])
})

test('figures are short and say no more than they know', () => {
  expect([0, 0.0041, 1204, 12_345, 999_499, 999_500, 4_850_000].map(short)).toEqual([
    '0',
    '0.0041',
    '1,204',
    '12.3 k',
    '999 k',
    '1 M',
    '4.85 M',
  ])
  expect([shareOf(0, 0), shareOf(0, 4), shareOf(1, 250), shareOf(4, 4)]).toEqual([null, '0', '0.4', '100'])
})

test('a share of failures is of the runs of a day, of all apps or of one', () => {
  expect(linesOf(figures, 'errors', 'a').map(({ values }) => values)).toEqual([[100, 0]])
  expect(linesOf(figures, 'errors', 'b')[0]?.values).toEqual([null, 0])
  expect(linesOf(figures, 'answer', 'a').map(({ values }) => values)).toEqual([
    [null, null],
    [null, null],
  ])
})

test('a value without neighbours is one that a line alone would not show', () => {
  const line = (values: (number | null)[]) => standsAlone({ name: 'p50', keys: [], values })
  expect([line([null, 3]), line([1, null, 2, 3]), line([1, 2]), line([null, null])]).toEqual([true, true, false, false])
})
