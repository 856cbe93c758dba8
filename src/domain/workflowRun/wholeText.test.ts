import { expect, test } from 'vitest'
import { emptyRun } from './runState.ts'
import { withWholeText } from './wholeText.ts'

const wholeText = (text: string, outputs: unknown) => withWholeText({ ...emptyRun, text, outputs }).text

test('a text with a part that was not seen is completed by the output that has all of it', () => {
  expect(wholeText('one four ', { other: 'two', answer: 'one two three four' })).toBe('one two three four')
  expect(wholeText('one ', { answer: 'one two' })).toBe('one two')
})

test('a text that no output continues stays as it was seen', () => {
  expect(wholeText('one four', { answer: 'one two three', count: 4 })).toBe('one four')
  expect(wholeText('one', 'one two')).toBe('one')
  expect(wholeText('', { answer: 'one' })).toBe('')
})
