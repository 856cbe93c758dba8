import { expect, it } from 'vitest'
import { truncateText } from './truncatedText.ts'

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  [`${'a'.repeat(79)}🚀 and more`, 80, 'a'.repeat(79)],
  ['ab👨‍👩‍👧‍👦c', 5, 'ab'],
  ['ab🇩🇪🇫🇷', 5, 'ab'],
  ['abu\u0308c', 3, 'ab'],
  ['ab👍🏽c', 4, 'ab'],
  ['한국'.normalize('NFD'), 4, '한'.normalize('NFD')],
  ['a\r\nb', 2, 'a'],
  [`${'👍'.repeat(10)}`, 7, '👍👍👍'],
  [`e${'\u0301'.repeat(500)}`, 40, `e${'\u0301'.repeat(39)}`],
  [`👨${'\u200d👩'.repeat(100)}`, 1, ''],
])('%j cut at %i is %j', (text, max, cut) => {
  expect(truncateText(text, max)).toBe(cut)
  expect(truncateText(text, max, '…')).toBe(text === cut ? text : `${cut}…`)
})
