import {
  CASE_CHANGES,
  type CaseChange,
  type CaseOutcome,
  type PassRate,
  type SignificanceTest,
} from '#contract/console/suites.ts'
import { toCaseChange } from './caseChanges.ts'

/** The outcomes of one case in two experiments. */
export interface OutcomePair {
  before: CaseOutcome | null
  after: CaseOutcome | null
  /** Its question, expectation or checks differ, so that the outcomes say nothing about the target. */
  is_edited: boolean
}

export interface PairSummary {
  counts: Record<CaseChange, number>
  edited: number
  pass_rates: { before: PassRate; after: PassRate }
  test: SignificanceTest
}

/**
 * Counts all cases. Rates and test cover the cases that both experiments decided and that were not edited; a flaky
 * case has not passed, and the test excludes it.
 */
export function summarizePairs(pairs: readonly OutcomePair[]): PairSummary {
  const counts = Object.fromEntries(CASE_CHANGES.map((change) => [change, 0])) as Record<CaseChange, number>
  for (const { before, after } of pairs) counts[toCaseChange(before, after)]++
  const compared = pairs.filter(({ before, after, is_edited }) => !is_edited && isDecided(before) && isDecided(after))
  const countPassed = (side: 'before' | 'after') => compared.filter((pair) => pair[side] === 'pass').length
  const countChange = (change: CaseChange) =>
    compared.filter(({ before, after }) => toCaseChange(before, after) === change).length
  return {
    counts,
    edited: pairs.filter(({ is_edited }) => is_edited).length,
    pass_rates: {
      before: toPassRate(countPassed('before'), compared.length),
      after: toPassRate(countPassed('after'), compared.length),
    },
    test: testChanges(countChange('fixed'), countChange('regressed')),
  }
}

const isDecided = (outcome: CaseOutcome | null): boolean => outcome !== null && outcome !== 'error'

/** The 97.5 % quantile of the normal distribution: an interval of 95 %. */
const NORMAL_QUANTILE = 1.959963984540054

/** A share with its Wilson score interval of 95 %. */
export function toPassRate(passed: number, total: number): PassRate {
  if (total === 0) return { passed, total, low: null, high: null }
  const share = passed / total
  const z2 = NORMAL_QUANTILE ** 2 / total
  const center = share + z2 / 2
  const margin = Math.sqrt(z2 * share * (1 - share) + z2 ** 2 / 4)
  return {
    passed,
    total,
    low: passed === 0 ? 0 : (center - margin) / (1 + z2),
    high: passed === total ? 1 : (center + margin) / (1 + z2),
  }
}

/** With fewer changed cases no result of the test is below `SIGNIFICANCE_LEVEL`. */
export const MIN_CHANGED_CASES = 6
export const SIGNIFICANCE_LEVEL = 0.05

/** Whether more cases were fixed than regressed, or fewer, than chance explains. */
export function testChanges(fixed: number, regressed: number): SignificanceTest {
  const p_value = fixed + regressed < MIN_CHANGED_CASES ? null : computeMcNemarPValue(fixed, regressed)
  return { fixed, regressed, p_value, conclusion: toConclusion(fixed, regressed, p_value) }
}

function toConclusion(fixed: number, regressed: number, p_value: number | null): SignificanceTest['conclusion'] {
  if (p_value === null) return 'too_few'
  if (p_value >= SIGNIFICANCE_LEVEL) return 'no_difference'
  return fixed > regressed ? 'better' : 'worse'
}

/**
 * McNemar's exact test, two-sided: the probability of such a split of the changed cases, or a more uneven one, by
 * chance.
 */
export function computeMcNemarPValue(fixed: number, regressed: number): number {
  const changed = fixed + regressed
  // Logarithms: the terms of a sum over thousands of cases are below the range of a number.
  let logChance = -changed * Math.LN2
  let tail = Math.exp(logChance)
  for (let k = 1; k <= Math.min(fixed, regressed); k++) {
    logChance += Math.log((changed - k + 1) / k)
    tail += Math.exp(logChance)
  }
  return Math.min(1, 2 * tail)
}
