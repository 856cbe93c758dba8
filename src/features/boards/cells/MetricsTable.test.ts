import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { sampleTurn } from '../../runs/turn.testing.ts'
import { getMedianChange, toMetricRange, summarizeTurns } from './MetricsTable.tsx'

test('a spread is the least, the middle and the most of what was given', () => {
  expect(toMetricRange([])).toBeNull()
  expect(toMetricRange([null, null])).toBeNull()
  expect(toMetricRange([null, 0])).toEqual({ min: 0, median: 0, max: 0, count: 1 })
  expect(toMetricRange([9, 1, null, 2])).toEqual({ min: 1, median: 2, max: 9, count: 3 })
  expect(toMetricRange([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4, count: 4 })
})

const said = (text: string, usage: Record<string, unknown> | null = null, part = {}) =>
  sampleTurn({ answer: { ...emptyAnswer, text, usage, ...part } })

test('answers are equal by their words, those of a workflow by its outputs', () => {
  expect(summarizeTurns([said('a'), said('b'), said('a')]).agreement).toEqual({ same: 2, kinds: 2 })
  const outputs = (value: unknown) => said('', null, { run: { ...emptyAnswer.run, outputs: value } })
  expect(summarizeTurns([outputs({ a: 1 }), outputs({ a: 1 }), outputs({ a: 2 })]).agreement).toEqual({
    same: 2,
    kinds: 2,
  })
})

test('what failed counts as ended, and its answer counts for nothing', () => {
  const summary = summarizeTurns([said('a'), sampleTurn({ state: 'failed' }), sampleTurn({ state: 'streaming' })])
  expect(summary).toMatchObject({ finished: 2, succeeded: 1, agreement: { same: 1, kinds: 1 } })
  expect(summarizeTurns([]).agreement).toBeNull()
})

test('prices are compared in one currency only, and what was not given has no difference', () => {
  const usd = summarizeTurns([said('a', { total_price: '0.5', currency: 'USD' })])
  const more = summarizeTurns([said('a', { total_price: '0.75', currency: 'USD' })])
  const rmb = summarizeTurns([said('a', { total_price: '3', currency: 'RMB' })])
  const both = summarizeTurns([
    said('a', { total_price: '0.5', currency: 'USD' }),
    said('a', { total_price: '3', currency: 'RMB' }),
  ])
  expect(getMedianChange('price', usd, more)).toBe(0.25)
  expect(getMedianChange('price', usd, rmb)).toBeNull()
  expect(both).toMatchObject({ currency: null, metrics: { price: null } })
  expect(getMedianChange('price', usd, both)).toBeNull()
  expect(summarizeTurns([said('a')])).toMatchObject({ currency: undefined, price: null, metrics: { price: null } })
  expect(getMedianChange('completionTokens', usd, more)).toBeNull()
  expect(getMedianChange('duration', usd, more)).toBe(0)
})
