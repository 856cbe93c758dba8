import { describe, expect, it, test } from 'vitest'
import type { SignificanceTest } from '#contract/console/suites.ts'
import { seededRandom } from '#support/seededRandom.ts'
import {
  computeMcNemarPValue,
  MIN_CHANGED_CASES,
  type OutcomePair,
  summarizePairs,
  testChanges,
  toPassRate,
} from './pairedStatistics.ts'

/** Every way in which chance fixes or breaks each of the changed cases, counted one by one. */
function enumerateSplits(fixed: number, regressed: number): number {
  const changed = fixed + regressed
  let asUneven = 0
  for (let way = 0; way < 2 ** changed; way++) {
    let fixedHere = 0
    for (let bit = 0; bit < changed; bit++) fixedHere += (way >> bit) & 1
    if (Math.min(fixedHere, changed - fixedHere) <= Math.min(fixed, regressed)) asUneven++
  }
  return asUneven / 2 ** changed
}

/** The same with exact whole numbers, for counts that cannot be enumerated. */
function sumExactly(fixed: number, regressed: number): number {
  const changed = BigInt(fixed + regressed)
  let ways = 1n
  let tail = 1n
  for (let k = 1n; k <= BigInt(Math.min(fixed, regressed)); k++) {
    ways = (ways * (changed - k + 1n)) / k
    tail += ways
  }
  const scale = 10n ** 18n
  return Math.min(1, Number((2n * tail * scale) / 2n ** changed) / Number(scale))
}

describe('McNemar’s exact test', () => {
  it('counts as an enumeration of all ways does', () => {
    for (let fixed = 0; fixed <= 6; fixed++)
      for (let regressed = 0; regressed <= 6; regressed++)
        expect(computeMcNemarPValue(fixed, regressed)).toBeCloseTo(enumerateSplits(fixed, regressed), 12)
  })

  it('agrees with whole numbers for thousands of cases', () => {
    const random = seededRandom(25)
    for (let round = 0; round < 40; round++) {
      const [fixed, regressed] = [Math.floor(random() * 800), Math.floor(random() * 800)]
      expect(computeMcNemarPValue(fixed, regressed)).toBeCloseTo(sumExactly(fixed, regressed), 9)
    }
    expect(computeMcNemarPValue(2500, 2500)).toBe(1)
    expect(computeMcNemarPValue(2400, 2600)).toBeCloseTo(sumExactly(2400, 2600), 9)
  })

  test.each<[number, number, SignificanceTest['conclusion']]>([
    [0, 0, 'too_few'],
    [MIN_CHANGED_CASES - 1, 0, 'too_few'],
    [MIN_CHANGED_CASES, 0, 'better'],
    [0, 6, 'worse'],
    [1, 5, 'no_difference'],
    [1, 8, 'worse'],
    [9, 9, 'no_difference'],
    [20, 6, 'better'],
  ])('%i fixed and %i regressed: %s', (fixed, regressed, conclusion) =>
    expect(testChanges(fixed, regressed)).toMatchObject({ fixed, regressed, conclusion }),
  )
})

describe('the Wilson interval', () => {
  it.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [1, 1, 0.2065, 1],
    [50, 100, 0.4038, 0.5962],
  ])('of %i in %i is that of a table', (passed, total, low, high) => {
    const rate = toPassRate(passed, total)
    expect([rate.low, rate.high]).toEqual([expect.closeTo(low, 3), expect.closeTo(high, 3)])
  })

  it('is not known without cases', () =>
    expect(toPassRate(0, 0)).toEqual({ passed: 0, total: 0, low: null, high: null }))
})

describe('a summary', () => {
  const pair = (before: OutcomePair['before'], after: OutcomePair['after'], is_edited = false): OutcomePair => ({
    before,
    after,
    is_edited,
  })

  it('counts every case, and compares those that both decided and nobody edited', () => {
    const summary = summarizePairs([
      pair('pass', 'pass'),
      pair('fail', 'pass'),
      pair('pass', 'fail'),
      pair('fail', 'fail'),
      pair('flaky', 'pass'),
      pair('error', 'pass'),
      pair(null, 'pass'),
      pair('fail', 'pass', true),
    ])
    expect(summary).toMatchObject({
      counts: { regressed: 1, fixed: 2, flaky: 1, still_failing: 1, error: 1, missing: 1, still_passing: 1 },
      edited: 1,
      pass_rates: { before: { passed: 2, total: 5 }, after: { passed: 3, total: 5 } },
      test: { fixed: 1, regressed: 1, conclusion: 'too_few' },
    })
  })
})
