import type { PredictedResult } from '#contract/console/experiments/predictions.ts'
import type { SignificanceTest } from '#contract/console/suites.ts'
import { SIGNIFICANCE_LEVEL, testChanges } from './pairedStatistics.ts'

/** What is measured of a case. */
type MeasuredResult = Pick<PredictedResult, 'case_id' | 'rank' | 'tokens'>

interface SweepMetrics {
  /** Questions that name what should be found. */
  questions: number
  /** Averages over them; null without any. */
  hit: number | null
  mrr: number | null
  tokens: number | null
}

export function measureSetting(results: readonly MeasuredResult[]): SweepMetrics {
  const measured = results.filter(({ rank }) => rank !== null)
  const average = (toValue: (result: MeasuredResult) => number) =>
    measured.length === 0 ? null : measured.reduce((sum, result) => sum + toValue(result), 0) / measured.length
  return {
    questions: measured.length,
    hit: average(({ rank }) => (rank ? 1 : 0)),
    mrr: average(({ rank }) => (rank ? 1 / rank : 0)),
    tokens: average(({ tokens }) => tokens),
  }
}

export interface BestSetting {
  /** Its place among the settings. */
  index: number
  test: SignificanceTest
}

/**
 * The setting that finds most, if it is significantly better than the first, which is the current one. With several
 * settings one is better by chance more easily, so the significance level is divided by their number.
 */
export function findBestSetting(settings: readonly (readonly MeasuredResult[])[]): BestSetting | null {
  const [current, ...others] = settings
  if (!current) return null
  const candidates = others
    .map((results, index) => ({ results, index: index + 1, metrics: measureSetting(results) }))
    .sort((one, other) => toOrder(other.metrics) - toOrder(one.metrics))
  const [best] = candidates
  if (!best) return null
  const test = compareHits(current, best.results)
  const isBetter = test.p_value !== null && test.p_value < SIGNIFICANCE_LEVEL / others.length
  return isBetter && test.fixed > test.regressed ? { index: best.index, test } : null
}

/** By hits, then by rank. */
const toOrder = ({ hit, mrr }: SweepMetrics): number => (hit ?? 0) * 1_000 + (mrr ?? 0)

function compareHits(before: readonly MeasuredResult[], after: readonly MeasuredResult[]): SignificanceTest {
  const hits = new Map(before.flatMap(({ case_id, rank }) => (rank === null ? [] : [[case_id, rank > 0] as const])))
  let [fixed, regressed] = [0, 0]
  for (const { case_id, rank } of after) {
    const wasHit = hits.get(case_id)
    if (wasHit === undefined || rank === null || wasHit === rank > 0) continue
    if (wasHit) regressed++
    else fixed++
  }
  return testChanges(fixed, regressed)
}
