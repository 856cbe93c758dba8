import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'vitest'
import type { Check } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import { evaluateChecks } from './checkEvaluation.ts'

export const toResult = (text: string) => ({
  expected: { answer: text.slice(0, 20_000) },
  found: null,
  run: { status: 'succeeded', text, outputs: { text } } as unknown as CheckedRun,
})
export const words = 'some words of an answer '.repeat(36_000)
const NANOSECONDS_PER_MS = 1_000_000
/** Far below the seconds that the checks took on the event loop, far above the pauses of a busy machine. */
const MAX_DELAY_MS = 1_000
/** Other requests are answered while the work goes on. */
export async function expectResponsive<Result>(work: () => Promise<Result>): Promise<Result> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const result = await work()
  delay.disable()
  expect(delay.max / NANOSECONDS_PER_MS).toBeLessThan(MAX_DELAY_MS)
  return result
}

/** Checks that take over a second end as errors, and the next case is decided. */
export async function expectOverBudget(checks: Check[], text: string): Promise<void> {
  const verdicts = await expectResponsive(() =>
    evaluateChecks([{ type: 'regex', value: '!$|q$|^a' }, ...checks], toResult(text)),
  )
  expect(verdicts.at(0)?.verdict).not.toBe('error')
  expect(verdicts.at(-1)).toEqual({
    type: checks[0]?.type,
    verdict: 'error',
    score: null,
    reason: 'The checks of this case took over 1 s.',
  })
  expect(await evaluateChecks([{ type: 'regex', value: '^a+!$' }], toResult('aa!'))).toMatchObject([
    { verdict: 'pass' },
  ])
}
