import { useSessionStorage } from '@mantine/hooks'
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listChunkDrafts, toChunkDraftKey, useDocumentsWithDrafts } from './chunkDrafts.ts'

beforeEach(() => sessionStorage.clear())
const draft = { document_id: 'd1', segment_id: 's1', chunk: 'c1' }

test('an edit that differs from what was loaded is a draft, one that was taken back is none', () => {
  const store = (value: unknown) => sessionStorage.setItem(toChunkDraftKey(draft), JSON.stringify(value))
  store({ base: 'cold', content: 'warm', note: '' })
  sessionStorage.setItem('loupe.other', '{"base":"a","content":"b"}')
  expect(listChunkDrafts(sessionStorage)).toEqual([draft])
  store({ base: 'cold', content: 'cold', note: '' })
  expect(listChunkDrafts(sessionStorage)).toEqual([])
  store({ base: 'cold', content: 'cold', keywords: 'seat', originalFields: { answer: '', keywords: '' }, answer: '' })
  expect(listChunkDrafts(sessionStorage)).toEqual([draft])
  sessionStorage.setItem(toChunkDraftKey(draft), '{')
  expect(listChunkDrafts(sessionStorage)).toEqual([])
})

test('a draft of the form of a document is one of the document, one of a new document is none', () => {
  sessionStorage.setItem('loupe.draft.document.d2', '{"text":"warm"}')
  sessionStorage.setItem('loupe.draft.document.file.d3', '{"name":"a"}')
  sessionStorage.setItem('loupe.draft.document.new.dataset', '{"text":"warm"}')
  sessionStorage.setItem('loupe.draft.document.files.dataset', '{"name":"a"}')
  const { result } = renderHook(() => useDocumentsWithDrafts())
  expect([...result.current]).toEqual(['d2', 'd3'])
})

test('lists learn of a draft when it is typed and when it is discarded', () => {
  const { result } = renderHook(() => ({
    documents: useDocumentsWithDrafts(),
    storage: useSessionStorage<unknown>({ key: toChunkDraftKey(draft), defaultValue: null }),
  }))
  expect([...result.current.documents]).toEqual([])
  act(() => result.current.storage[1]({ base: 'cold', content: 'warm', note: '' }))
  expect([...result.current.documents]).toEqual(['d1'])
  act(() => result.current.storage[2]())
  expect([...result.current.documents]).toEqual([])
})
