import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Check, CHECK_TYPES } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import { SuiteThread } from './suiteThread.ts'
import { evaluateChecks, findUnreadableCheck } from './checkEvaluation.ts'

const toResult = (text: string) => ({
  expected: { answer: text.slice(0, 20_000) },
  found: null,
  run: { status: 'succeeded', text, outputs: { text } } as unknown as CheckedRun,
})
const OVER_BUDGET = { verdict: 'error', score: null, reason: 'The checks of this case took over 1 s.' }
const NANOSECONDS_PER_MS = 1_000_000
/** Far below the seconds that the checks took on the event loop, far above the pauses of a busy machine. */
const MAX_DELAY_MS = 1_000
/** For a budget of a second of processor time on a busy machine; the engine's own functions took up to minutes. */
const MAX_CASE_MS = 10_000

/** Other requests are answered while the work goes on. */
async function expectResponsive<Result>(work: () => Promise<Result>): Promise<Result> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const result = await work()
  delay.disable()
  expect(delay.max / NANOSECONDS_PER_MS).toBeLessThan(MAX_DELAY_MS)
  return result
}

const backtracking = `${'a'.repeat(60)}!`
const listTexts = (length: number) => Array.from({ length }, (_, index) => `zz${index}`)
const words = 'some words of an answer '.repeat(36_000)

it.each<[string, Check[], string]>([
  ['patterns', Array<Check>(30).fill({ type: 'not-regex', value: '^(a+)+$' }), backtracking],
  [
    'patterns of a schema',
    [{ type: 'is-json', value: { type: 'string', pattern: '^(a+)+$' } }],
    JSON.stringify(backtracking),
  ],
  ['edit distances', Array<Check>(60).fill({ type: 'levenshtein', value: 'b'.repeat(1_990) }), 'a'.repeat(1_990)],
  ['many texts', Array<Check>(30).fill({ type: 'contains-all', value: listTexts(200) }), 'zzq'.repeat(300_000)],
])('%s that take over a second end as errors, and the next case is decided', async (_, checks, text) => {
  const verdicts = await expectResponsive(() =>
    evaluateChecks([{ type: 'regex', value: '!$|q$|^a' }, ...checks], toResult(text)),
  )
  expect(verdicts.at(0)?.verdict).not.toBe('error')
  expect(verdicts.at(-1)).toEqual({ type: checks[0]?.type, ...OVER_BUDGET })
  expect(await evaluateChecks([{ type: 'regex', value: '^a+!$' }], toResult('aa!'))).toMatchObject([
    { verdict: 'pass' },
  ])
})

it.each(CHECK_TYPES)('%s of a long answer ends in time and does not block the event loop', async (type) => {
  const repeated = `${'a'.repeat(20_000)}b${'a'.repeat(20_000)}`
  for (const [value, text] of [
    [words.slice(0, 100_000), words],
    [listTexts(9_000), words],
    [repeated, 'a'.repeat(900_000)],
    [[repeated], 'a'.repeat(900_000)],
    ['e\u0301', '\u0301\u0316'.repeat(450_000)],
  ] as const) {
    const began = performance.now()
    await expectResponsive(() => evaluateChecks([{ type, value }], toResult(text)))
    expect(performance.now() - began).toBeLessThan(MAX_CASE_MS)
  }
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
