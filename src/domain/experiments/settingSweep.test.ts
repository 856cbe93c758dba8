import { expect, it } from 'vitest'
import type { PredictedResult } from '#contract/console/experiments/predictions.ts'
import { findBestSetting, measureSetting } from './settingSweep.ts'

const toResults = (ranks: readonly (number | null)[], tokens = 100): PredictedResult[] =>
  ranks.map((rank, index) => ({
    case_id: `case ${index}`,
    case_name: '',
    outcome: rank ? 'pass' : 'fail',
    rank,
    tokens,
  }))
const fill = (found: number, all = 40) => toResults(Array.from({ length: all }, (_, index) => (index < found ? 1 : 0)))

it('averages over the questions that name what should be found', () => {
  expect(measureSetting(toResults([1, 2, 0, null], 50))).toEqual({ questions: 3, hit: 2 / 3, mrr: 0.5, tokens: 50 })
  expect(measureSetting(toResults([null]))).toEqual({ questions: 0, hit: null, mrr: null, tokens: null })
})

it('names the best setting only where chance does not explain it', () => {
  expect(findBestSetting([fill(20), fill(38), fill(25)])).toMatchObject({ index: 1, test: { fixed: 18, regressed: 0 } })
  expect(findBestSetting([fill(20), fill(23)])).toBeNull()
  expect(findBestSetting([fill(20), fill(10)])).toBeNull()
  expect(findBestSetting([fill(20)])).toBeNull()
})

it('asks more of a setting that is one of many', () => {
  const settings = [fill(20), fill(26)]
  expect(findBestSetting(settings)).toMatchObject({ index: 1 })
  expect(findBestSetting([...settings, ...Array.from({ length: 10 }, () => fill(20))])).toBeNull()
})
