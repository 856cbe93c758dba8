import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideSave, rebaseDraft, resolveField } from './editConflict.ts'

const texts = fc
  .array(fc.constantFrom('lamp', 'seat', 'gap', '0.35', ' ', '\n'), { maxLength: 12 })
  .map((words) => words.join(' '))

test('it writes only over the text that the edit began with', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, content, theirs) => {
      const expected = theirs === content ? 'nothing' : theirs === base ? 'write' : 'conflict'
      expect(decideSave({ base, content }, theirs).kind).toBe(expected)
    }),
  )
})

test('a field beside the text takes the side that was changed, and nothing where both were', () => {
  expect(resolveField({ base: 'a', mine: 'b', theirs: 'a' })).toBe('b')
  expect(resolveField({ base: 'a', mine: 'a', theirs: 'c' })).toBe('c')
  expect(resolveField({ base: 'a', mine: 'c', theirs: 'c' })).toBe('c')
  expect(resolveField({ base: 'a', mine: 'b', theirs: 'c' })).toBe(null)
})

test('what is typed while a text is saved stays, on top of the saved text', () => {
  const sent = { base: 'lamp', content: 'the lamp', note: 'why' }
  const saved = { base: 'the lamp', content: 'the lamp', note: '' }
  expect(rebaseDraft(sent, sent, saved)).toBeNull()
  expect(rebaseDraft(null, sent, saved)).toBeNull()
  expect(rebaseDraft({ ...sent, content: 'the green lamp' }, sent, saved)).toEqual({
    ...saved,
    content: 'the green lamp',
  })
  expect(rebaseDraft({ ...sent, note: 'why not' }, sent, saved)).toEqual({ ...saved, note: 'why not' })
})

test('what is typed beside a text while it is saved stays, on top of the saved fields', () => {
  const originalFields = { answer: 'no', keywords: '' }
  const sent = { base: 'lamp', content: 'the lamp', note: '', answer: 'yes', keywords: '', originalFields }
  const savedFields = { answer: 'yes', keywords: '' }
  const saved = { ...sent, base: 'the lamp', ...savedFields, originalFields: savedFields }
  expect(rebaseDraft({ ...sent, keywords: 'seat' }, sent, saved)).toEqual({ ...saved, keywords: 'seat' })
})
