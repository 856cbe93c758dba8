import { useSessionStorage } from '@mantine/hooks'
import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { listChunkDrafts, toChunkDraftKey, useDocumentsWithDrafts } from './chunkDrafts.ts'
import { ChildChunkEditor } from './segments/editor/ChildChunkEditor.tsx'

serveApi(
  http.get('*/api/calls', () => HttpResponse.json(toPage([]))),
  http.get('*/api/saved-items', () => HttpResponse.json(toPage([]))),
  http.delete('*/child_chunks/:child_chunk_id', () => new HttpResponse(null, { status: 204 })),
)

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

test('a child chunk that is deleted leaves no draft', async () => {
  const [dataset_id, document_id, segment_id, id] = ['1', '2', '3', '4'].map(
    (n) => `${n}d10d2e4-8669-4dfa-88c8-c11f02d6cd63`,
  ) as [string, string, string, string]
  const input = { dataset_id, document_id, segment_id }
  const key = toChunkDraftKey({ ...input, chunk: id })
  sessionStorage.setItem(key, JSON.stringify({ base: 'cold', content: 'cold', note: 'typo' }))
  const onClose = vi.fn()
  renderPage(
    <ChildChunkEditor
      input={input}
      keyId="k1"
      workspace="w1"
      record={null}
      chunk={{ id, content: 'cold' }}
      number={1}
      canDelete
      onClose={onClose}
      onSaved={() => undefined}
      onAskAgain={null}
    />,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete the child chunk' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sessionStorage.getItem(key)).toBeNull()
})
