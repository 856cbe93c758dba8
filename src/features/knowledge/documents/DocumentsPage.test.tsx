import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { toPage } from '../../../client/consoleApi.testing.ts'
import { makeCall } from '../../../client/runRow.testing.ts'
import { DATASET, DOCUMENT, KEY, open, server, state } from './documentsPage.testing.tsx'

test('a viewer reads the list, and nothing on it changes anything', async () => {
  state.role = 'viewer'
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed' }]
  state.total = 1
  open()
  await screen.findByRole('row', { name: /Manual/ })
  expect(screen.queryByRole('button', { name: 'More for Manual' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add document' })).toBeNull()
})

test('a document that is being indexed is looked at until it is done', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'parsing' }]
  state.total = 1
  open()
  const row = () => screen.getByRole('row', { name: /Manual/ }).textContent
  await waitFor(() => expect(row()).toContain('parsing'))
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed', display_status: 'available' }]
  await waitFor(() => expect(row()).toContain('available'))
  const steps = screen.getByRole('region', { name: 'Indexing progress' })
  expect(within(steps).getByText('completed')).toBeDefined()
})

test('a limit that the interface does not have is named and not sent', async () => {
  open('?limit=101')
  expect((await screen.findByRole('alert')).textContent).toContain('query.limit must be at most 100')
  expect(state.asked).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Show the first page' }))
  await waitFor(() => expect(state.asked).toHaveLength(1))
})

test('a platform that ignores the status filter is named, and the rows are filtered here', async () => {
  state.documents = [
    { id: DOCUMENT, name: 'Manual', indexing_status: 'completed', display_status: 'available' },
    { id: `${DOCUMENT.slice(0, -1)}0`, name: 'Terms', indexing_status: 'error', display_status: 'error' },
  ]
  state.total = 2
  open('?status=error')
  await screen.findByText(
    /The platform does not filter by status. Of the 2 documents on this page, 1 has the status error/,
  )
  await screen.findByRole('row', { name: /Terms/ })
  expect(screen.queryByRole('row', { name: /Manual/ })).toBeNull()
})

test('under a filter of this browser the export holds the documents that are listed', async () => {
  const withSeason = (value: string) => [{ id: 'm', name: 'season', type: 'string', value }]
  state.documents = [
    { id: DOCUMENT, name: 'Manual', indexing_status: 'completed', doc_metadata: withSeason('winter') },
    {
      id: `${DOCUMENT.slice(0, -1)}0`,
      name: 'Terms',
      indexing_status: 'completed',
      doc_metadata: withSeason('summer'),
    },
  ]
  state.total = 2
  open('?metadata=season:winter')
  await screen.findByRole('row', { name: /Manual/ })
  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await screen.findByRole('dialog', { name: /Manual/ })
})

test('under a filter of this browser no document is listed before it has passed', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed' }]
  state.total = 1
  open()
  await screen.findByRole('row', { name: /Manual/ })
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  server.use(
    http.get(`*/api/keys/${KEY}/datasets/${DATASET}/documents`, async () => {
      await promise
      return HttpResponse.json({ data: state.documents, total: 1, page: 1, limit: 100, has_more: false })
    }),
  )
  act(() => {
    history.pushState(null, '', '?metadata=season:winter')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await waitFor(() => expect(screen.queryByRole('row', { name: /Manual/ })).toBeNull())
  answer()
  await screen.findByText(/No document/)
})

test('a document that a pipeline made is updated only with a rule that was chosen', async () => {
  const user = userEvent.setup()
  const pipelineDocument = { id: DOCUMENT, name: 'Manual', indexing_status: 'completed', created_from: 'rag-pipeline' }
  Object.assign(state, { documents: [pipelineDocument], total: 1, isBuiltIn: false })
  server.use(
    http.get(`*/datasets/${DATASET}`, () => HttpResponse.json({ id: DATASET, name: 'Guides' })),
    http.post(`*/documents/${DOCUMENT}/update-by-text`, async ({ request }) => {
      state.sent.push(await request.json())
      return HttpResponse.json({ document: pipelineDocument, batch: 'b' })
    }),
  )
  open(`?update=${DOCUMENT}`)
  await user.type(await screen.findByRole('textbox', { name: /^Text/ }), 'New text.')
  expect(screen.getByText(/Choose a chunking rule for the new text/)).toBeDefined()
  const send = screen.getByRole('button', { name: 'Update document' })
  await user.click(send)
  await screen.findByText(/the document has no rule to keep/)
  expect(state.sent).toEqual([])
  await user.selectOptions(screen.getByRole('combobox', { name: /^Chunking mode/ }), 'automatic')
  await user.click(send)
  await waitFor(() => expect(state.sent).toMatchObject([{ process_rule: { mode: 'automatic' } }]))
})

test('an update under a new name ends the form, though the document is read again by that name', async () => {
  const user = userEvent.setup()
  const document = { id: DOCUMENT, name: 'Manual', indexing_status: 'completed', created_from: 'api' }
  const at = '2026-11-21T12:00:00Z'
  const toResource = () => ({
    ...{ kind: 'document', id: DOCUMENT, label: document.name, parent: DATASET, workspace: DATASET },
    ...{ first_seen: at, last_seen: at, payload: null },
  })
  Object.assign(state, { documents: [document], total: 1 })
  server.use(
    http.get('*/api/resources', () => HttpResponse.json(toPage([toResource()]))),
    http.get(`*/datasets/${DATASET}`, () => HttpResponse.json({ id: DATASET, name: 'Guides' })),
    http.post(`*/documents/${DOCUMENT}/update-by-text`, () => {
      document.name = 'Guide'
      return HttpResponse.json({ document, batch: 'b' })
    }),
  )
  open(`?update=${DOCUMENT}`)
  fireEvent.input(await screen.findByRole('textbox', { name: /^Text/ }), { target: { value: 'New text.' } })
  fireEvent.input(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'Guide' } })
  await user.click(screen.getByRole('button', { name: 'Update document' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(state.asked.at(-1)).toContain('keyword=Guide')
})

const sentText = makeCall({ entry: 'documents.createByText', request: { name: 'Manual', text: 'All of it.' } })
test.each([
  ['the built-in platform', { isBuiltIn: true }, {}, 'Rename'],
  ['another platform, which has the text', { calls: [sentText] }, {}, 'Rename and re-index'],
  ['another platform, whose text is not known', {}, {}, null],
  ['a pipeline', { calls: [sentText] }, { created_from: 'rag-pipeline' }, null],
])('a document of %s is renamed without losing its text', async (_, given, document, item) => {
  const user = userEvent.setup()
  const known = { id: DOCUMENT, name: 'Manual', data_source_type: 'upload_file', created_from: 'api' }
  Object.assign(state, { isBuiltIn: false, ...given, documents: [{ ...known, ...document }], total: 1 })
  open()
  await user.click(await screen.findByRole('button', { name: 'More for Manual' }))
  await screen.findByRole('menuitem', { name: 'Update by text' })
  if (item) await screen.findByRole('menuitem', { name: item })
  else expect(screen.queryByRole('menuitem', { name: /^Rename/ })).toBeNull()
})
