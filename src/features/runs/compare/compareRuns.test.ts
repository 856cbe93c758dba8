import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { sampleTurn } from '../turn.testing.ts'
import { compareMetrics, compareSources } from './compareRuns.ts'

test('sources are gained, lost and kept by their segment, with the score on each side', () => {
  const one = { segment_id: 'a', document_name: 'A', score: 0.5 }
  const two = { segment_id: 'b', document_name: 'B' }
  const three = { document_id: 'd', content: 'words' }
  const changes = compareSources([one, two, three], [{ ...one, score: 0.75 }, { ...three }, { segment_id: 'c' }])
  expect(
    changes.map(({ kind, source, before, after }) => [kind, source.segment_id ?? 'by words', before, after]),
  ).toEqual([
    ['gained', 'c', null, null],
    ['lost', 'b', null, null],
    ['kept', 'a', 0.5, 0.75],
    ['kept', 'by words', null, null],
  ])
})

test('prices are compared in one currency only, and what was not given has no difference', () => {
  const turn = (usage: Record<string, unknown>) =>
    sampleTurn({ answer: { ...emptyAnswer, usage }, first_token_ms: null })
  const priceOf = (one: Record<string, unknown>, two: Record<string, unknown>) =>
    compareMetrics(turn(one), turn(two)).find(({ name }) => name === 'price')?.change
  expect(priceOf({ total_price: '0.5', currency: 'USD' }, { total_price: '0.75', currency: 'USD' })).toBe(0.25)
  expect(priceOf({ total_price: '0.5', currency: 'USD' }, { total_price: '0.75', currency: 'RMB' })).toBeNull()
  expect(priceOf({ total_price: '0.5', currency: 'USD' }, { currency: 'USD' })).toBeNull()
  expect(compareMetrics(turn({}), turn({}))[0]).toEqual({ name: 'firstToken', before: null, after: null, change: null })
})
