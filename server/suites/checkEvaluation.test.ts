import { expect, it } from 'vitest'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import { evaluateCheckInTime } from './checkEvaluation.ts'

const toResult = (text: string) => ({
  expected: {},
  found: null,
  run: { status: 'succeeded', text } as CheckedRun,
})

it('ends a pattern that backtracks without end, also when it is negated, and decides the next one', () => {
  const text = `${'a'.repeat(60)}!`
  for (const type of ['regex', 'not-regex'] as const)
    expect(evaluateCheckInTime({ type, value: '^(a+)+$' }, toResult(text))).toEqual({
      type,
      verdict: 'error',
      score: null,
      reason: 'It took longer than 200 ms.',
    })
  const schema = { type: 'string', pattern: '^(a+)+$' }
  expect(evaluateCheckInTime({ type: 'is-json', value: schema }, toResult(JSON.stringify(text))).verdict).toBe('error')
  expect(evaluateCheckInTime({ type: 'regex', value: '^a+!$' }, toResult(text)).verdict).toBe('pass')
})

/** A run whose text is first read after a pause in which the thread has no processor. */
function toDelayedResult(pauseMs: number) {
  let isFirst = true
  const run = {
    status: 'succeeded',
    get text() {
      if (isFirst) {
        isFirst = false
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
      }
      return 'Within 30 days.'
    },
  } as CheckedRun
  return { expected: {}, found: null, run }
}

it('a busy server makes no check undecided', () => {
  for (const type of ['contains', 'regex'] as const)
    expect(evaluateCheckInTime({ type, value: '30 days' }, toDelayedResult(300)).verdict).toBe('pass')
})
