import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameInputSet, toInputSet } from './inputSets.ts'

const file = { type: 'document', transfer_method: 'remote_url', url: 'https://files.example/a.pdf' }

test('a set comes back as it was kept', () => {
  const set = { filled: { text: 'Tea', '': '{"a": 1}', '+note': '[1]' }, files: [file] }
  expect(toInputSet(JSON.parse(JSON.stringify(set)))).toEqual(set)
})

test('what is no set of inputs has none', () => {
  expect(toInputSet({ filled: { a: 1, b: 'two' }, files: [{ type: 3 }, file] })).toEqual({
    filled: { b: 'two' },
    files: [file],
  })
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { filled, files } = toInputSet(value)
      expect(Object.values(filled).every((text) => typeof text === 'string') && Array.isArray(files)).toBe(true)
    }),
  )
})

test('the order of the fields makes no other set, a value does', () => {
  const set = { filled: { a: '1', b: '2' }, files: [] }
  expect(isSameInputSet(set, { filled: { b: '2', a: '1' }, files: [] })).toBe(true)
  expect(isSameInputSet(set, { filled: { b: '3', a: '1' }, files: [] })).toBe(false)
  expect(isSameInputSet(set, { ...set, files: [file] })).toBe(false)
})
