import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { type Check, CHECK_TYPES } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
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
const manyTexts = Array.from({ length: 9_000 }, (_, index) => `zz${index}`)
const words = 'some words of an answer '.repeat(36_000)

it.each<[string, Check[], string]>([
  ['patterns', Array<Check>(30).fill({ type: 'regex', value: '^(a+)+$' }), backtracking],
  ['negated patterns', [{ type: 'not-regex', value: '^(a+)+$' }], backtracking],
  [
    'patterns of a schema',
    [{ type: 'is-json', value: { type: 'string', pattern: '^(a+)+$' } }],
    JSON.stringify(backtracking),
  ],
  ['edit distances', Array<Check>(60).fill({ type: 'levenshtein', value: 'b'.repeat(1_990) }), 'a'.repeat(1_990)],
  ['many texts', Array<Check>(30).fill({ type: 'contains-all', value: manyTexts }), `zz${'q'.repeat(900_000)}`],
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

it.each(CHECK_TYPES)('%s of a long answer does not block the event loop', async (type) => {
  for (const value of [words.slice(0, 100_000), manyTexts])
    await expectResponsive(() => evaluateChecks(Array<Check>(20).fill({ type, value }), toResult(words)))
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
