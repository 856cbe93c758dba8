import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectText } from './searchText.ts'

test('the texts of a value come in its own order, without names and numbers', () => {
  expect(collectText({ query: 'how', inputs: { lang: '中文', n: 3, list: ['a', { b: 'c' }] } }, 100)).toBe(
    'how\n中文\na\nc',
  )
})

test('whatever a value is, its words are no longer than asked for', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 50 }), (value, length) => {
      expect(collectText(value, length).length).toBeLessThanOrEqual(length + 1)
    }),
  )
})
