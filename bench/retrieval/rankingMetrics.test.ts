import { expect, test } from 'vitest'
import { averageRankingMetrics, computeRankingMetrics } from './rankingMetrics.ts'

const others = Array.from({ length: 10 }, (_, index) => `other${index}`)

test('a list with all relevant documents at its top is perfect', () => {
  expect(computeRankingMetrics(['a', 'b', 'c'], new Set(['a', 'b']))).toEqual({
    ndcg: 1,
    reciprocalRank: 1,
    recall: 1,
    hitAt1: 1,
  })
})

test('the gain of a result is discounted by the logarithm of its rank', () => {
  const metrics = computeRankingMetrics(['x', 'a', 'y', 'b', 'z'], new Set(['a', 'b', 'c', 'd']))
  // DCG: 1/log2(3) + 1/log2(5) = 0.63093 + 0.43068. Ideal for four: 1 + 0.63093 + 0.5 + 0.43068.
  expect(metrics.ndcg).toBeCloseTo(1.06161 / 2.56161, 4)
  expect(metrics).toMatchObject({ reciprocalRank: 0.5, recall: 0.5, hitAt1: 0 })
})

test('a document that is found twice counts once, and those below it move up', () => {
  const metrics = computeRankingMetrics(['x', 'x', 'a', 'a'], new Set(['a']))
  expect(metrics).toMatchObject({ reciprocalRank: 0.5, recall: 1 })
  expect(metrics.ndcg).toBeCloseTo(0.63093, 4)
})

test('only the first ten results count', () => {
  expect(computeRankingMetrics([...others, 'a'], new Set(['a']))).toEqual({
    ndcg: 0,
    reciprocalRank: 0,
    recall: 0,
    hitAt1: 0,
  })
})

test('with more than ten relevant documents, ten of them are a perfect gain, not a full recall', () => {
  const metrics = computeRankingMetrics(others, new Set([...others, 'a', 'b']))
  expect(metrics.ndcg).toBeCloseTo(1)
  expect(metrics.recall).toBeCloseTo(10 / 12)
})

test('the average is taken over the queries', () => {
  const metrics = averageRankingMetrics([
    computeRankingMetrics(['a'], new Set(['a'])),
    computeRankingMetrics(['x'], new Set(['a'])),
  ])
  expect(metrics).toEqual({ ndcg: 0.5, reciprocalRank: 0.5, recall: 0.5, hitAt1: 0.5 })
})
