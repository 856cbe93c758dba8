import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Check } from '#contract/console/checks.ts'
import type { CheckedRun } from '#domain/checks/checkedResult.ts'
import { evaluateCheck } from '#domain/checks/evaluateCheck.ts'

/** What promptfoo said of a check and an answer; recorded with promptfoo 0.123.1 by `recordPromptfoo.mjs` of commit `2dc372b1`. */
const RecordedPair = z.strictObject({
  check: z.strictObject({ type: z.string(), value: z.unknown().optional(), threshold: z.number().optional() }),
  output: z.string(),
  latencyMs: z.number().optional(),
  cost: z.number().optional(),
  pass: z.boolean(),
  score: z.number(),
})
type RecordedPair = z.output<typeof RecordedPair>

export const readRecordedPairs = (): RecordedPair[] =>
  readFileSync(new URL('promptfooVerdicts.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => RecordedPair.parse(JSON.parse(line)))

const CURRENCY = 'USD'
const SCORE_TOLERANCE = 1e-9

/** The pairs that are decided otherwise here. Of `rouge-n` the score counts too: others score whole or nothing there. */
export function findDisagreements(pairs: readonly RecordedPair[]): { pair: RecordedPair; verdict: string }[] {
  return pairs.flatMap((pair) => {
    const { verdict, score } = evaluateCheck(toCheck(pair), { expected: {}, found: null, run: toRun(pair) })
    const recordedScore = pair.check.type.startsWith('not-') ? 1 - pair.score : pair.score
    const isSameScore =
      !pair.check.type.endsWith('rouge-n') || Math.abs((score ?? -1) - recordedScore) < SCORE_TOLERANCE
    return (verdict === 'pass') === pair.pass && verdict !== 'error' && isSameScore ? [] : [{ pair, verdict }]
  })
}

const toCheck = ({ check }: RecordedPair): Check =>
  Check.parse(check.type.endsWith('cost') ? { ...check, currency: CURRENCY } : check)

const toRun = ({ output, latencyMs, cost }: RecordedPair): CheckedRun => ({
  status: 'succeeded',
  text: output,
  outputs: null,
  hasTerminalEvent: true,
  workflow: null,
  duration_ms: latencyMs ?? null,
  first_token_ms: null,
  longest_stall_ms: null,
  total_tokens: null,
  total_price: cost === undefined ? null : String(cost),
  currency: CURRENCY,
  drifts: null,
})
