import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSegmentEdit } from './useSegmentEdit.ts'
import { serveApi } from '../../../../client/consoleApi.testing.ts'
import { makePageWrapper } from '../../../../client/page.testing.tsx'
import { newQueryClient } from '../../../../client/query.ts'

const SEGMENT = { id: '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63', content: 'cold', keywords: [] }
const state = { sent: [] as unknown[] }
serveApi(
  http.get('*/segments/:segment_id', () => HttpResponse.json({ data: SEGMENT, doc_form: 'text_model' })),
  http.post('*/api/saved-items', () => HttpResponse.json({}, { status: 201 })),
  http.post('*/segments/:segment_id', async ({ request }) => {
    const { segment } = (await request.json()) as { segment: { content: string } }
    state.sent.push(segment)
    return HttpResponse.json({ data: { ...SEGMENT, content: segment.content }, doc_form: 'text_model' })
  }),
)
beforeEach(() => {
  state.sent = []
  sessionStorage.clear()
})

function renderEdit() {
  const onClose = vi.fn()
  const client = newQueryClient()
  const hook = renderHook(
    () =>
      useSegmentEdit({
        input: {
          dataset_id: '96f9465c-523c-4a73-aee3-31c317abd40d',
          document_id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e',
          segment_id: SEGMENT.id,
        },
        keyId: 'k1',
        workspace: 'w1',
        knownVersions: [{ content: 'cold', answer: null }],
        record: null,
        segment: SEGMENT,
        hasChildren: false,
        onClose,
        onParentSaved: () => undefined,
      }),
    { wrapper: makePageWrapper({ client }) },
  )
  return { ...hook, onClose, client }
}

test('a segment is saved once, also where its save is pressed again before it was read', async () => {
  const { result, onClose } = renderEdit()
  act(() => result.current.change({ content: 'warm' }))
  act(() => {
    result.current.waiting.send()
    result.current.waiting.send()
  })
  expect(result.current.isSaving).toBe(true)
  await waitFor(() => expect(result.current.isSaving).toBe(false))
  expect(result.current.problem).toBeNull()
  expect(onClose).toHaveBeenCalledOnce()
  expect(state.sent).toEqual([{ content: 'warm', keywords: [] }])
})

test('a save that ends after its editor was left closes nothing', async () => {
  const { result, onClose, unmount, client } = renderEdit()
  act(() => result.current.change({ content: 'warm' }))
  act(() => result.current.waiting.send())
  unmount()
  await waitFor(() => expect([state.sent.length, client.isMutating()]).toEqual([1, 0]))
  expect(onClose).not.toHaveBeenCalled()
})
