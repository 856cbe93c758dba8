import type { Check, Verdict } from '#contract/console/checks.ts'
import type { CaseExpectation } from '#contract/console/suites.ts'
import type { CheckedRun } from './checkedResult.ts'
import { evaluateCheck } from './evaluateCheck.ts'

const SUCCEEDED_RUN: CheckedRun = {
  status: 'succeeded',
  text: '',
  outputs: null,
  hasTerminalEvent: true,
  workflow: null,
  duration_ms: 2_000,
  first_token_ms: 300,
  longest_stall_ms: 900,
  total_tokens: 120,
  total_price: '0.0042',
  currency: 'USD',
  drifts: [],
}

/** What a check says of a run that succeeded, but for what is given. */
export const checkRun = (check: Check, run: Partial<CheckedRun>, expected: CaseExpectation = {}): Verdict =>
  evaluateCheck(check, { expected, found: null, run: { ...SUCCEEDED_RUN, ...run } })
