import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#contract/answer.ts'
import { aTurn } from '../../run/turn.testing.ts'
import { changeOf, spreadOf, summaryOf } from './spread.ts'

test('a spread is the least, the middle and the most of what was given', () => {
  expect(spreadOf([])).toBeNull()
  expect(spreadOf([null, null])).toBeNull()
  expect(spreadOf([null, 0])).toEqual({ min: 0, median: 0, max: 0, given: 1 })
  expect(spreadOf([9, 1, null, 2])).toEqual({ min: 1, median: 2, max: 9, given: 3 })
  expect(spreadOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4, given: 4 })
})

test('half of the figures lie on each side of the middle, in whatever order they came', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000 }))), (values) => {
      const given = values.filter((value) => value !== null)
      const spread = spreadOf(values)
      expect(spread === null).toBe(given.length === 0)
      if (spread === null) return
      expect(spread).toEqual(spreadOf([...values].reverse()))
      const { min, median, max } = spread
      expect([min, max]).toEqual([Math.min(...given), Math.max(...given)])
      expect(given.filter((value) => value <= median).length * 2).toBeGreaterThanOrEqual(given.length)
      expect(given.filter((value) => value >= median).length * 2).toBeGreaterThanOrEqual(given.length)
    }),
  )
})

const said = (text: string, usage: Record<string, unknown> | null = null, part = {}) =>
  aTurn({ answer: { ...emptyAnswer, text, usage, ...part } })

test('answers are equal by their words, those of a workflow by its outputs', () => {
  expect(summaryOf([said('a'), said('b'), said('a')]).agreement).toEqual({ same: 2, kinds: 2 })
  const outputs = (value: unknown) => said('', null, { run: { ...emptyAnswer.run, outputs: value } })
  expect(summaryOf([outputs({ a: 1 }), outputs({ a: 1 }), outputs({ a: 2 })]).agreement).toEqual({ same: 2, kinds: 2 })
})

test('what failed counts as ended, and its answer counts for nothing', () => {
  const summary = summaryOf([said('a'), aTurn({ state: 'failed' }), aTurn({ state: 'streaming' })])
  expect(summary).toMatchObject({ over: 2, succeeded: 1, agreement: { same: 1, kinds: 1 } })
  expect(summaryOf([]).agreement).toBeNull()
})

test('prices are compared in one currency only, and what was not given has no difference', () => {
  const usd = summaryOf([said('a', { total_price: '0.5', currency: 'USD' })])
  const more = summaryOf([said('a', { total_price: '0.75', currency: 'USD' })])
  const rmb = summaryOf([said('a', { total_price: '3', currency: 'RMB' })])
  const both = summaryOf([
    said('a', { total_price: '0.5', currency: 'USD' }),
    said('a', { total_price: '3', currency: 'RMB' }),
  ])
  expect(changeOf('price', usd, more)).toBe(0.25)
  expect(changeOf('price', usd, rmb)).toBeNull()
  expect(both).toMatchObject({ currency: null, figures: { price: null } })
  expect(changeOf('price', usd, both)).toBeNull()
  expect(summaryOf([said('a')])).toMatchObject({ currency: undefined, price: null, figures: { price: null } })
  expect(changeOf('completionTokens', usd, more)).toBeNull()
  expect(changeOf('duration', usd, more)).toBe(0)
})
