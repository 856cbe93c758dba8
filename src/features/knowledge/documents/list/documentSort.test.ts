import { expect, test } from 'vitest'
import { parseDocumentSort, sortDocuments } from './documentSort.ts'

const documents = [
  { id: '1', name: 'Page 10', tokens: 5, created_at: 30 },
  { id: '2', name: 'page 9', tokens: null, created_at: 10 },
  { id: '3', name: 'Äpfel', tokens: 700, created_at: 20 },
]
const ids = (text: string, updated: Record<string, number> = {}) => {
  const sort = parseDocumentSort(text)
  return sort && sortDocuments(documents, sort, ({ id }) => updated[id] ?? null).map(({ id }) => id)
}

test('names sort as people read them, numbers by size, and what is not given comes last', () => {
  expect(ids('name')).toEqual(['3', '2', '1'])
  expect(ids('-name')).toEqual(['1', '2', '3'])
  expect(ids('tokens')).toEqual(['1', '3', '2'])
  expect(ids('-tokens')).toEqual(['3', '1', '2'])
  expect(ids('created_at')).toEqual(['2', '3', '1'])
  expect(ids('-updated_at', { 2: 5, 1: 9 })).toEqual(['1', '2', '3'])
})

test('other words in the URL sort by nothing', () => {
  for (const text of [undefined, '', '-', 'id', '--name', 'constructor']) expect(parseDocumentSort(text)).toBeNull()
})
