import { expect, test } from 'vitest'
import { getRunTitle } from './runTitle.ts'

test('a run is called by its question, else by what was put in, and never by nothing', () => {
  expect(getRunTitle({ query: 'Why?', inputs: { detail: 'long' } })).toBe('Why?')
  expect(getRunTitle({ inputs: { text: 'A lamp.', sentences: 3, list: false, focus: ' ', files: [{}] } })).toBe(
    'A lamp. · 3',
  )
  expect(getRunTitle({ inputs: { list: true } })).toBe('{"list":true}')
  expect(getRunTitle({})).toBe('{}')
})
