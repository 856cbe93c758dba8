import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { type ChoosableColumn, useColumnVisibility } from './useColumnVisibility.ts'

const columns = (words: string): ChoosableColumn<string>[] => [
  { id: 'name', header: 'Name', cell: (row) => row },
  { id: 'word_count', header: words, formerHeader: 'Words', cell: (row) => row },
  { id: 'doc_form', header: 'doc_form', cell: (row) => row },
]
const readStored = () => JSON.parse(localStorage.getItem('loupe-columns-test') ?? 'null') as unknown

beforeEach(() => localStorage.clear())

test('a hidden column stays hidden when its header is renamed', () => {
  const { result } = renderHook(() => useColumnVisibility('test', columns('Words')))
  act(() => result.current.toggle('word_count'))
  expect(readStored()).toEqual(['word_count'])
  const { result: renamed } = renderHook(() => useColumnVisibility('test', columns('Number of words')))
  expect(renamed.current.visible.map(({ id }) => id)).toEqual(['name', 'doc_form'])
})

test('a choice that an earlier release stored by headers survives', () => {
  localStorage.setItem('loupe-columns-test', JSON.stringify(['Words', 'doc_form']))
  const { result } = renderHook(() => useColumnVisibility('test', columns('Word count')))
  expect(result.current.visible.map(({ id }) => id)).toEqual(['name'])
  act(() => result.current.toggle('word_count'))
  expect(result.current.isVisible('word_count')).toBe(true)
  expect(readStored()).toEqual(['doc_form'])
})
