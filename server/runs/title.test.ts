import { expect, test } from 'vitest'
import { titleOf } from './title.ts'

test('a run is called by its question, else by what was put in, and never by nothing', () => {
  expect(titleOf({ query: 'Why?', inputs: { detail: 'long' } })).toBe('Why?')
  expect(titleOf({ inputs: { text: 'A lamp.', sentences: 3, list: false, focus: ' ', files: [{}] } })).toBe(
    'A lamp. · 3',
  )
  expect(titleOf({ inputs: { list: true } })).toBe('{"list":true}')
  expect(titleOf({})).toBe('{}')
})
