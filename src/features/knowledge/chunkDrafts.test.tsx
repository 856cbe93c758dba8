import { useSessionStorage } from '@mantine/hooks'
import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeSession } from '../../client/session.testing.ts'
import { listChunkDrafts, toChunkDraftKey, useDocumentsWithDrafts } from './chunkDrafts.ts'
import { ChildChunkEditor } from './segments/editor/ChildChunkEditor.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'

serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/calls', () => HttpResponse.json(toPage([]))),
  http.get('*/api/saved-items', () => HttpResponse.json({ data: [], total: 0 })),
  http.delete('*/child_chunks/:child_chunk_id', () => new HttpResponse(null, { status: 204 })),
)
beforeAll(() => {
  // The tokens of a text are counted in a worker; jsdom has none.
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage() {}
    },
  )
})

beforeEach(() => sessionStorage.clear())
const draft = { document_id: 'd1', segment_id: 's1', chunk: 'c1' }
const CHUNK = '96f9465c-523c-4a73-aee3-31c317abd40d'
const TARGET = {
  dataset_id: '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e',
  document_id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e',
  segment_id: '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63',
}

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
  const key = toChunkDraftKey({ ...TARGET, chunk: CHUNK })
  sessionStorage.setItem(key, JSON.stringify({ base: 'cold', content: 'cold', note: 'typo' }))
  const onClose = vi.fn()
  renderPage(
    <ChildChunkEditor
      input={TARGET}
      keyId="k1"
      workspace="w1"
      record={null}
      chunk={{ id: CHUNK, content: 'cold' }}
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
