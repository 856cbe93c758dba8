import { act, configure, fireEvent, type RenderResult, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { DocumentsPage } from './DocumentsPage.tsx'
import { makeKey, makeSession, makeWorkspace } from '../../../client/session.testing.ts'
import { makeCall } from '../../../client/runRow.testing.ts'
import type { Call } from '#contract/console/calls.ts'
import type { Role } from '#contract/permissions.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'

const WORKSPACE = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const KEY = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const DATASET = '96f9465c-523c-4a73-aee3-31c317abd40d'
const DOCUMENT = '80b2f014-4c68-47c0-a2d4-8c0e189c101e'

/** What the console's server answers; a test changes what it is about. */
const state = {
  documents: [] as Record<string, unknown>[],
  total: 0,
  asked: [] as string[],
  sent: [] as unknown[],
  /** The reply to a creation; null where it is refused. */
  created: null as Record<string, unknown> | null,
  /** Calls of the ledger, which are the history of a document. */
  calls: [] as Call[],
  role: 'operator' as Role,
}
const knowledge = { ...makeKey('knowledge', 'Knowledge'), id: KEY }
const workspace = makeWorkspace({ id: WORKSPACE, builtin: true, keys: [knowledge] })

// To find out what is hidden costs more than the rest of a query on a page of this size.
configure({ defaultHidden: true })
const server = serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [workspace], total: 1 })),
  http.get('*/api/resources', () => HttpResponse.json(toPage([]))),
  http.get('*/api/calls', () => HttpResponse.json(toPage(state.calls))),
  http.get(`*/api/keys/${KEY}/datasets/${DATASET}/documents`, ({ request }) => {
    state.asked.push(new URL(request.url).search)
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
    return HttpResponse.json({ data: state.documents, total: state.total, page, limit: 20, has_more: false })
  }),
  http.post(`*/api/keys/${KEY}/datasets/${DATASET}/document/create-by-text`, async ({ request }) => {
    state.sent.push(await request.json())
    if (state.created) return HttpResponse.json({ document: state.created, batch: 'b' })
    return HttpResponse.json(
      {
        kind: 'refused',
        message: 'Embedding model is not configured.',
        upstream: { status: 400, body: { code: 'provider_not_initialize' } },
      },
      { status: 424 },
    )
  }),
)
beforeEach(() => {
  Object.assign(state, { documents: [], total: 0, asked: [], sent: [], created: null, calls: [], role: 'operator' })
  sessionStorage.clear()
  localStorage.clear()
})

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

test('a refusal at the form shows the platform’s words and keeps what was typed', async () => {
  open()
  const form = await openForm()
  fill(form, /^name/i, 'Manual')
  fill(form, /^text/i, 'The gap stays small.')
  await userEvent.selectOptions(form.getByLabelText(/doc_form/), 'hierarchical_model')
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  expect((await form.findByRole('alert')).textContent).toContain('Embedding model is not configured.')
  expect(form.getByLabelText<HTMLTextAreaElement>(/^text/i).value).toBe('The gap stays small.')
  expect(state.sent).toMatchObject([
    { name: 'Manual', doc_form: 'hierarchical_model', process_rule: { mode: 'hierarchical' } },
  ])
})

const edit = makeCall({
  entry: 'segments.updateChildChunk',
  title: 'Hand edited.',
  note: 'typo',
  request: { content: 'Hand edited.' },
})

test('a name that exists is not sent before the person has seen what is lost, and the replacement is said', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed', display_status: 'available' }]
  state.total = 1
  state.calls = [edit]
  state.created = { id: DOCUMENT, name: 'Manual', created_at: 1_700_000_000, indexing_status: 'completed' }
  open()
  const form = await openForm(false)
  fill(form, /^name/i, 'Manual')
  fill(form, /^text/i, 'Another text.')
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  const warning = await form.findByText(/This dataset has a document named “Manual”/)
  await form.findByText(/Hand edited/)
  expect(warning).toBeDefined()
  expect(state.sent).toEqual([])
  expect(state.asked.at(-1)).toContain('keyword=Manual')

  // Another name has no such document.
  fill(form, /^name/i, 'Manual two')
  expect(form.queryByText(/This dataset has a document named/)).toBeNull()
  fill(form, /^name/i, 'Manual')

  await userEvent.click(form.getByRole('button', { name: 'Send and replace' }))
  await waitFor(() => expect(state.sent).toHaveLength(1))
  expect(
    (await screen.findByText(/The platform replaced the document of that name/)).parentElement?.textContent,
  ).toContain('Manual')
})

test('the form of a new document is the one that the dataset has', async () => {
  state.documents = [
    {
      id: DOCUMENT,
      name: 'Parents',
      doc_form: 'hierarchical_model',
      indexing_status: 'completed',
      display_status: 'available',
    },
  ]
  state.total = 1
  open()
  const form = await openForm(false)
  expect(form.getByLabelText<HTMLSelectElement>(/doc_form/).value).toBe('hierarchical_model')
  expect(form.getByLabelText<HTMLSelectElement>(/\bmode$/).value).toBe('hierarchical')
  await form.findByText(/The platform refuses others/)
  expect(form.queryByRole('option', { name: 'text_model' })).toBeNull()
})

test('hierarchical documents are not offered with economy', async () => {
  open()
  const form = await openForm()
  await userEvent.selectOptions(form.getByLabelText(/doc_form/), 'hierarchical_model')
  await userEvent.selectOptions(form.getByLabelText(/indexing_technique/), 'economy')
  expect(form.getByLabelText<HTMLSelectElement>(/doc_form/).value).toBe('text_model')
  expect(form.queryByRole('option', { name: 'hierarchical_model' })).toBeNull()
  expect(form.queryByRole('option', { name: 'hierarchical' })).toBeNull()
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

const fill = (form: ReturnType<typeof within>, label: RegExp, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } })

async function openForm(isEmpty = true) {
  if (isEmpty) await screen.findByText('No documents yet')
  else await screen.findByRole('table', { name: 'Documents' })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add document' }))[0] as HTMLElement)
  return within(await screen.findByRole('dialog'))
}

function open(search = ''): RenderResult {
  history.replaceState(null, '', `/datasets/${DATASET}${search}`)
  return renderPage(
    <Routes>
      <Route path="/datasets/:dataset_id" element={<DocumentsPage />} />
    </Routes>,
    { router: 'window' },
  )
}
