import { expect, it } from 'vitest'
import { EMPTY_SWEEP_FORM, parseSweepList, toSweepValues } from './sweepSettings.ts'

it('combines the values, after the settings as they are', () => {
  const settings = toSweepValues({
    ...EMPTY_SWEEP_FORM,
    search_methods: ['keyword_search', 'hybrid_search'],
    top_k: '2, 4, 4',
    weights: '0.5',
  })
  expect(settings?.map(({ chunk_tokens: _, is_estimate: __, ...values }) => values)).toEqual([
    {},
    { search_method: 'keyword_search', top_k: 2 },
    { search_method: 'keyword_search', top_k: 4 },
    { search_method: 'hybrid_search', top_k: 2, weights: 0.5 },
    { search_method: 'hybrid_search', top_k: 4, weights: 0.5 },
  ])
  expect(settings?.every(({ is_estimate }) => !is_estimate)).toBe(true)
})

it('estimates other chunks beside the current chunks', () => {
  const settings = toSweepValues({ ...EMPTY_SWEEP_FORM, top_k: '', chunk_tokens: '200, 400' })
  expect(settings?.map(({ chunk_tokens, is_estimate }) => [chunk_tokens, is_estimate])).toEqual([
    [null, false],
    [null, true],
    [200, true],
    [400, true],
  ])
})

it('takes numbers within their bounds only', () => {
  expect(parseSweepList('top_k', '1, 100')).toEqual([1, 100])
  expect(parseSweepList('top_k', ' ')).toEqual([])
  for (const text of ['0', '101', '2.5', 'two']) expect(parseSweepList('top_k', text)).toBeNull()
  expect(parseSweepList('score_threshold', '0.35, 1')).toEqual([0.35, 1])
  expect(parseSweepList('chunk_tokens', '10')).toBeNull()
  expect(toSweepValues({ ...EMPTY_SWEEP_FORM, weights: '2' })).toBeNull()
})
