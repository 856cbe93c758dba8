import { expect, test } from 'vitest'
import { splitRowsIntoChunks } from './tableRows.ts'

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length
const rule = (max_tokens: number) => ({ separator: '\n\n', max_tokens, chunk_overlap: 2 })
const split = (text: string, max_tokens: number, isRowPerChunk = false) =>
  [...splitRowsIntoChunks(text, rule(max_tokens), isRowPerChunk, countWords)].map(({ start, end }) =>
    text.slice(start, end),
  )

test('rows stay whole: one per chunk, or as many as fit', () => {
  const text = 'one two three\nfour five\n\n  six seven  \neight nine ten'
  expect(split(text, 6, true)).toEqual(['one two three', 'four five', 'six seven', 'eight nine ten'])
  expect(split(text, 6)).toEqual(['one two three\nfour five', 'six seven  \neight nine ten'])
  expect(split(text, 3)).toEqual(['one two three', 'four five', 'six seven', 'eight nine ten'])
})

test('only a row that is longer than a chunk is cut, and its neighbours are whole', () => {
  const long = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ')
  const chunks = split(`one two\n${long}\nthree four`, 5)
  expect(chunks[0]).toBe('one two')
  expect(chunks.at(-1)).toBe('three four')
  const pieces = chunks.slice(1, -1)
  expect(pieces.every((piece) => countWords(piece) <= 5)).toBe(true)
  expect(new Set(pieces.join(' ').split(' '))).toEqual(new Set(long.split(' ')))
})
