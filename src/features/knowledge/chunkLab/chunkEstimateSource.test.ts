import { expect, test } from 'vitest'
import { chunkWithWarnings, toLabPlan, defaultChunkSetting } from './worker/labChunking.ts'
import { toEstimatedSource, findMatchingEstimate, type EstimatedSource } from './chunkEstimateSource.ts'
import { computeChunkStats, toTotals } from './worker/chunkStats.ts'
import { toProcessRule } from './chunkSettingDraft.ts'
import { emptyChunking } from './useChunking.ts'

const text = 'One part.\n\n另一部分。'
const countTokens = (words: string) => [...words].length

function chunkText(source: File | null): EstimatedSource | null {
  const chunks = [...chunkWithWarnings(text, toLabPlan(defaultChunkSetting), countTokens)]
  const input = { text, setting: defaultChunkSetting, measure: 'characters' as const }
  const view = { ...emptyChunking, input, stats: computeChunkStats(chunks) }
  expect(toEstimatedSource(view, source), 'a cut that goes on is no estimate').toBeNull()
  return toEstimatedSource({ ...view, totals: toTotals(text, 9) }, source)
}

const rule = { doc_form: 'text_model', process_rule: toProcessRule(defaultChunkSetting) }

test('what was cut is the estimate of the same text, sent with the same rule', () => {
  expect(findMatchingEstimate(chunkText(null), text, rule)).toMatchObject({
    segments: 2,
    children: 0,
    words: 6,
    characters: 16,
    tokens: 9,
    measure: 'characters',
    isRuleSent: true,
  })
})

test('another text, another rule, another form or another file has no estimate', () => {
  const file = new File(['a'], 'a.txt')
  expect(findMatchingEstimate(null, text, rule)).toBeNull()
  expect(findMatchingEstimate(chunkText(null), `${text} more`, rule)).toBeNull()
  expect(findMatchingEstimate(chunkText(null), text, { ...rule, process_rule: { mode: 'automatic' } })).toBeNull()
  expect(findMatchingEstimate(chunkText(null), text, { ...rule, doc_form: 'hierarchical_model' })).toBeNull()
  expect(findMatchingEstimate(chunkText(file), new File(['a'], 'a.txt'), rule)).toBeNull()
  expect(findMatchingEstimate(chunkText(file), file, rule)).toMatchObject({ segments: 2 })
})
