import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Check } from '#contract/console/checks.ts'
import { evaluateChecks, findUnreadableCheck } from './checkEvaluation.ts'
import { expectOverBudget, expectResponsive, toResult, words } from './checkEvaluation.testing.ts'
import { SuiteThread } from './suiteThread.ts'

it('patterns that take over a second end as errors, and the next case is decided', async () => {
  await expectOverBudget(Array<Check>(30).fill({ type: 'not-regex', value: '^(a+)+$' }), `${'a'.repeat(60)}!`)
})

it('a busy server makes no check undecided', async () => {
  await evaluateChecks([{ type: 'contains', value: 'a' }], toResult('a'))
  const verdicts = evaluateChecks([{ type: 'contains', value: 'a' }], toResult('a'))
  await setImmediate()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  expect(await verdicts).toMatchObject([{ verdict: 'pass' }])
})

it('causes are ranked in a thread of their own, too', async () => {
  const toPassages = (text: string) => [{ segment_id: 's', document_id: null, dataset_id: null, text }]
  const one = { case_id: 'c', older: toPassages(words), newer: toPassages(`${words}!`), from: 0, to: 1 }
  const sources = { edits: [], settings: [], app: [], olderTexts: new Map<string, string>() }
  const job = { cases: [one, one, one, one], sources }
  expect(await expectResponsive(() => new SuiteThread(200).run(job, 1))).toEqual({
    answers: [],
    failure: 'took over 0.2 s',
  })
})

it('a schema is read in time, or refused', async () => {
  const parts = (length: number) => ({ oneOf: Array.from({ length }, (_, index) => ({ const: index })) })
  const read = (...values: unknown[]) =>
    expectResponsive(() => findUnreadableCheck(values.map((value) => ({ type: 'is-json', value }) as Check)))
  expect(await read(parts(400))).toBeNull()
  expect(await read(parts(3), parts(8_000))).toMatchObject({
    index: 1,
    field: 'value',
    message: expect.stringContaining('at most 500 objects and lists') as string,
  })
})
