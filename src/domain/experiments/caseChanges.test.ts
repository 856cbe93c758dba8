import { expect, test } from 'vitest'
import type { Verdict } from '#contract/console/checks.ts'
import type { CaseChange, CaseOutcome } from '#contract/console/suites.ts'
import { toCaseChange, toCaseOutcome } from './caseChanges.ts'

test.each<[Verdict['verdict'][], CaseOutcome | null]>([
  [[], null],
  [['pass'], 'pass'],
  [['fail', 'fail'], 'fail'],
  [['error', 'error', 'error'], 'error'],
  [['pass', 'pass', 'fail'], 'flaky'],
  [['pass', 'error'], 'flaky'],
])('repetitions %j are %s', (outcomes, outcome) => expect(toCaseOutcome(outcomes)).toBe(outcome))

test.each<[CaseOutcome | null, Record<CaseOutcome | 'none', CaseChange>]>([
  ['pass', { pass: 'still_passing', fail: 'regressed', flaky: 'flaky', error: 'error', none: 'missing' }],
  ['fail', { pass: 'fixed', fail: 'still_failing', flaky: 'flaky', error: 'error', none: 'missing' }],
  ['flaky', { pass: 'flaky', fail: 'flaky', flaky: 'flaky', error: 'error', none: 'missing' }],
  ['error', { pass: 'error', fail: 'error', flaky: 'error', error: 'error', none: 'missing' }],
  [null, { pass: 'missing', fail: 'missing', flaky: 'missing', error: 'missing', none: 'missing' }],
])('a case that was %s before', (before, changes) => {
  for (const [after, change] of Object.entries(changes))
    expect([after, toCaseChange(before, after === 'none' ? null : (after as CaseOutcome))]).toEqual([after, change])
})
