import { expect, test } from 'vitest'
import { playwrightCounts, vitestCounts } from './counts.ts'

const vitest = (passed: number, failed: number, pending = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults: [],
})
const playwright = (expected: number, unexpected: number, flaky = 0, skipped = 0) => ({
  stats: { expected, unexpected, flaky, skipped, duration: 1 },
  errors: [],
})

test('tests that passed and failed are counted as the runner says', () => {
  expect(vitestCounts(vitest(7, 0), true)).toEqual({ passed: 7, failed: 0, skipped: 0 })
  expect(vitestCounts(vitest(7, 2, 1), false)).toEqual({ passed: 7, failed: 2, skipped: 1 })
  expect(playwrightCounts(playwright(5, 0), true)).toEqual({ passed: 5, failed: 0, skipped: 0 })
  expect(playwrightCounts(playwright(5, 1, 0, 2), false)).toEqual({ passed: 5, failed: 1, skipped: 2 })
})

test('a test that passed at the second try has failed', () => {
  expect(playwrightCounts(playwright(5, 0, 1), true)).toMatchObject({ passed: 5, failed: 1 })
})

test('a runner that ended badly with no failed test has failed once', () => {
  expect(vitestCounts(vitest(7, 0), false)).toMatchObject({ passed: 7, failed: 1 })
  expect(playwrightCounts(playwright(5, 0), false)).toMatchObject({ passed: 5, failed: 1 })
})

test('no test at all, or no report, has failed', () => {
  expect(vitestCounts(vitest(0, 0), true)).toMatchObject({ passed: 0, failed: 1 })
  expect(playwrightCounts(playwright(0, 0, 0, 3), true)).toMatchObject({ passed: 0, failed: 1 })
  for (const report of [null, {}, 'text']) {
    expect(vitestCounts(report, true).failed).toBe(1)
    expect(playwrightCounts(report, true).failed).toBe(1)
  }
})
