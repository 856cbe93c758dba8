import { expect, it } from 'vitest'
import { type Check, CHECK_TYPES } from '#contract/console/checks.ts'
import { evaluateChecks } from './checkEvaluation.ts'
import { expectOverBudget, expectResponsive, toResult, words } from './checkEvaluation.testing.ts'

/** For a budget of a second of processor time on a busy machine; the engine's own functions took up to minutes. */
const MAX_CASE_MS = 10_000
const listTexts = (length: number) => Array.from({ length }, (_, index) => `zz${index}`)

it.each<[string, Check[], string]>([
  [
    'patterns of a schema',
    [{ type: 'is-json', value: { type: 'string', pattern: '^(a+)+$' } }],
    JSON.stringify(`${'a'.repeat(60)}!`),
  ],
  ['edit distances', Array<Check>(60).fill({ type: 'levenshtein', value: 'b'.repeat(1_990) }), 'a'.repeat(1_990)],
  ['many texts', Array<Check>(30).fill({ type: 'contains-all', value: listTexts(200) }), 'zzq'.repeat(300_000)],
])('%s that take over a second end as errors, and the next case is decided', async (_, checks, text) => {
  await expectOverBudget(checks, text)
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
