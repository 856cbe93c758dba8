import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts } from './editConflict.ts'

const texts = fc
  .array(fc.constantFrom('lamp', 'seat', 'gap', '0.35', 'mm', '.', ' ', '\n', '中文', '👍🏽'), { maxLength: 30 })
  .map((words) => words.join(' '))

test('an edit beside no other edit is kept whole', () => {
  fc.assert(
    fc.property(texts, texts, (base, edited) => {
      expect(mergeTexts(base, edited, base)).toBe(edited)
      expect(mergeTexts(base, base, edited)).toBe(edited)
      expect(mergeTexts(base, edited, edited)).toBe(edited)
    }),
  )
})

test('who is first makes no difference', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, one, other) => {
      expect(mergeTexts(base, one, other)).toBe(mergeTexts(base, other, one))
    }),
  )
})

test('edits of different words are both kept, edits of the same words are never merged', () => {
  const base = 'Above 0.4 mm, turn the collar by one notch.'
  const mine = 'Above 0.35 mm, turn the collar by one notch.'
  expect(mergeTexts(base, mine, 'Above 0.4 mm, turn the collar by two notches.')).toBe(
    'Above 0.35 mm, turn the collar by two notches.',
  )
  expect(mergeTexts(base, mine, 'Above 0.3 mm, turn the collar by one notch.')).toBeNull()
})
