import { expect, it } from 'vitest'
import type { PredictedResult } from '#contract/console/experiments/predictions.ts'
import { countPredictedChanges, pairPredictions } from './predictedChanges.ts'

const toResult = (case_id: string, outcome: PredictedResult['outcome'], rank: number): PredictedResult => ({
  case_id,
  case_name: case_id,
  outcome,
  rank,
  tokens: 0,
})

it('tells what became of each case, and leaves out those that were not in both', () => {
  const before = [
    toResult('a', 'pass', 1),
    toResult('b', 'fail', 0),
    toResult('c', 'pass', 1),
    toResult('d', 'pass', 2),
  ]
  const after = [
    toResult('a', 'fail', 0),
    toResult('b', 'pass', 3),
    toResult('c', 'pass', 2),
    toResult('d', 'pass', 2),
    toResult('new', 'pass', 1),
  ]
  const cases = pairPredictions(before, after)
  expect(cases.map(({ case_id, change }) => [case_id, change])).toEqual([
    ['a', 'regressed'],
    ['b', 'fixed'],
    ['c', 'moved'],
    ['d', 'unchanged'],
  ])
  expect(countPredictedChanges(cases)).toEqual({ regressed: 1, fixed: 1, moved: 1, unchanged: 1 })
})
