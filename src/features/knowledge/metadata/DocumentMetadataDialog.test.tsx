import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { DocumentMetadataDialog } from './DocumentMetadataDialog.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const KEY = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const DATASET = '96f9465c-523c-4a73-aee3-31c317abd40d'
const CATEGORY = { id: '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e', name: 'category', type: 'string' }
const OWNER = { id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e', name: 'owner', type: 'string' }
const newDocument = (index: number, category?: string): DocumentRecord => ({
  id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
  name: `Tea ${index}`,
  doc_metadata: category ? [{ ...CATEGORY, value: category }] : [],
})

const state = { listed: [] as DocumentRecord[], asked: [] as string[], sent: [] as unknown[] }
serveApi(
  http.get(`*/api/keys/${KEY}/datasets/${DATASET}/metadata`, () =>
    HttpResponse.json({ doc_metadata: [CATEGORY, OWNER] }),
  ),
  http.get(`*/api/keys/${KEY}/datasets/${DATASET}/documents`, ({ request }) => {
    const keyword = new URL(request.url).searchParams.get('keyword') ?? ''
    state.asked.push(keyword)
    const data = state.listed.filter(({ name }) => name?.includes(keyword))
    return HttpResponse.json({ data, total: data.length, page: 1, limit: 100, has_more: false })
  }),
  http.post(`*/api/keys/${KEY}/datasets/${DATASET}/documents/metadata`, async ({ request }) => {
    state.sent.push(await request.json())
    return HttpResponse.json({ result: 'success' })
  }),
)
beforeEach(() => Object.assign(state, { listed: [], asked: [], sent: [] }))

test.each([2, 12])('values that %d documents got after they were selected are kept', async (count) => {
  const indices = Array.from({ length: count }, (_, index) => index)
  state.listed = indices.map((index) => newDocument(index, 'green'))
  const onClose = open(indices.map((index) => newDocument(index)))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/category/).value).toBe('green'))
  // What someone else changes while the dialog is open is kept as well.
  state.listed = indices.map((index) => newDocument(index, 'black'))
  await userEvent.type(screen.getByLabelText(/owner/), 'Mira')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const toValue = ({ id, name }: typeof OWNER, value: string) => ({ id, name, value })
  expect(state.sent).toEqual([
    {
      operation_data: state.listed.map(({ id }) => ({
        document_id: id,
        metadata_list: [toValue(CATEGORY, 'black'), toValue(OWNER, 'Mira')],
      })),
    },
  ])
  // Of few documents, the long list is not read.
  expect(state.asked.includes('')).toBe(count > 10)
})

test('nothing is saved of a document that the platform does not list any more', async () => {
  state.listed = [newDocument(1, 'green')]
  open([newDocument(1), newDocument(2)])
  expect((await screen.findByRole('alert')).textContent).toContain('no longer lists 1 document.')
  await userEvent.type(screen.getByLabelText(/owner/), 'Mira')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  expect(state.sent).toEqual([])
})

function open(documents: DocumentRecord[]) {
  const onClose = vi.fn()
  renderPage(
    <DocumentMetadataDialog dataset_id={DATASET} documents={documents} keyId={KEY} workspace="w" onClose={onClose} />,
  )
  return onClose
}
