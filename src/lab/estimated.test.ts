import { expect, test } from 'vitest'
import { cutUp, planFor, usualSetting } from './cutting.ts'
import { estimatedOf, estimateOf, type Estimated } from './estimated.ts'
import { figuresOf, totalsOf } from './figures.ts'
import { ruleOf } from './typed.ts'
import { nothingCut } from './useCut.ts'

const text = 'One part.\n\n另一部分。'
const countTokens = (words: string) => [...words].length

function cut(source: File | null): Estimated | null {
  const chunks = [...cutUp(text, planFor(usualSetting), countTokens)]
  const view = { ...nothingCut, of: { text, setting: usualSetting }, figures: figuresOf(chunks) }
  expect(estimatedOf(view, source), 'a cut that goes on is no estimate').toBeNull()
  return estimatedOf({ ...view, totals: totalsOf(text, chunks) }, source)
}

const rule = { doc_form: 'text_model', process_rule: ruleOf(usualSetting) }

test('what was cut is the estimate of the same text, sent with the same rule', () => {
  expect(estimateOf(cut(null), text, rule)).toMatchObject({
    segments: 2,
    children: 0,
    words: 6,
    characters: 16,
    isRuleSent: true,
  })
})

test('another text, another rule, another form or another file has no estimate', () => {
  const file = new File(['a'], 'a.txt')
  expect(estimateOf(null, text, rule)).toBeNull()
  expect(estimateOf(cut(null), `${text} more`, rule)).toBeNull()
  expect(estimateOf(cut(null), text, { ...rule, process_rule: { mode: 'automatic' } })).toBeNull()
  expect(estimateOf(cut(null), text, { ...rule, doc_form: 'hierarchical_model' })).toBeNull()
  expect(estimateOf(cut(file), new File(['a'], 'a.txt'), rule)).toBeNull()
  expect(estimateOf(cut(file), file, rule)).toMatchObject({ segments: 2 })
})

test('where the rule is left to the platform, the estimate says that its own was another’s guess', () => {
  expect(estimateOf(cut(null), text, { doc_form: 'text_model' })).toMatchObject({ segments: 2, isRuleSent: false })
})
