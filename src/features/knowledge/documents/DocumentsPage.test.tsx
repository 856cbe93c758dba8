import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { DocumentsPage } from './DocumentsPage.tsx'
import { makeSession } from '../../../client/session.testing.ts'
import type { Role } from '#contract/permissions.ts'

const WORKSPACE = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const KEY = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const DATASET = '96f9465c-523c-4a73-aee3-31c317abd40d'
const DOCUMENT = '80b2f014-4c68-47c0-a2d4-8c0e189c101e'
const at = '2026-11-21T12:00:00Z'

/** What the console's server answers; a test changes what it is about. */
const state = {
  documents: [] as Record<string, unknown>[],
  total: 0,
  asked: [] as string[],
  sent: [] as unknown[],
  role: 'operator' as Role,
}
const knowledge = {
  id: KEY,
  kind: 'knowledge',
  label: 'Knowledge',
  hint: null,
  created_at: at,
  updated_at: at,
  last_ok_at: null,
  last_problem: null,
  last_problem_at: null,
  offers: [],
}
const workspace = {
  id: WORKSPACE,
  name: 'W',
  base_url: 'http://p/v1',
  builtin: true,
  created_at: at,
  keys: [knowledge],
}

const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [workspace], total: 1 })),
  http.get('*/api/resources', () =>
    HttpResponse.json({ data: [], total: 0, total_capped: false, page: 1, limit: 1, has_more: false, next: null }),
  ),
  http.get(`*/api/keys/${KEY}/datasets/${DATASET}/documents`, ({ request }) => {
    state.asked.push(new URL(request.url).search)
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
    return HttpResponse.json({ data: state.documents, total: state.total, page, limit: 20, has_more: false })
  }),
  http.post(`*/api/keys/${KEY}/datasets/${DATASET}/document/create-by-text`, async ({ request }) => {
    state.sent.push(await request.json())
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
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => {
  Object.assign(state, { documents: [], total: 0, asked: [], sent: [], role: 'operator' })
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test('a viewer reads the list, and nothing on it changes anything', async () => {
  state.role = 'viewer'
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed' }]
  state.total = 1
  open()
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'More for Manual' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Export chunks'])
  expect(screen.queryByRole('button', { name: 'Add document' })).toBeNull()
})

test('a document that is being indexed is looked at until it is done', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'parsing' }]
  state.total = 1
  open()
  const row = await screen.findByRole('row', { name: /Manual/ })
  expect(within(row).getByText('parsing')).toBeDefined()
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed', display_status: 'available' }]
  await within(row).findByText('available')
  const steps = screen.getByRole('region', { name: 'Indexing progress' })
  expect(within(steps).getByText('completed')).toBeDefined()
})

test('an error that several documents have is said once, with their names', async () => {
  const failed = { indexing_status: 'error', display_status: 'error', error: 'No embedding model.' }
  state.documents = [
    { id: DOCUMENT, name: 'Manual', ...failed },
    { id: `${DOCUMENT.slice(0, -1)}0`, name: 'Terms', ...failed },
  ]
  state.total = 2
  open()
  const errors = await screen.findByRole('list', { name: 'Errors of the listed documents' })
  const [group, ...others] = within(errors).getAllByRole('listitem')
  expect(others).toEqual([])
  expect(group?.textContent).toContain('2 documents')
  expect(group?.textContent).toContain('Platform error: No embedding model.')
  expect(within(errors).getByRole('link', { name: 'Terms' })).toBeDefined()
})

test('the pager counts by total, whatever has_more says', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed' }]
  state.total = 41
  open()
  await screen.findByText('1 to 20 of 41')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('21 to 40 of 41')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('41 to 41 of 41')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true)
})

test('columns are chosen by the person, and stay chosen', async () => {
  state.documents = [{ id: DOCUMENT, name: 'Manual', indexing_status: 'completed' }]
  state.total = 1
  const { unmount } = open()
  await screen.findByRole('columnheader', { name: 'Tokens' })
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Tokens' }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Tokens' })).toBeNull())
  unmount()
  open()
  await screen.findByRole('columnheader', { name: 'Words' })
  expect(screen.queryByRole('columnheader', { name: 'Tokens' })).toBeNull()
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
  await userEvent.type(form.getByLabelText(/^name/), 'Manual')
  await userEvent.type(form.getByLabelText(/^text/), 'The gap stays small.')
  await userEvent.selectOptions(form.getByLabelText('doc_form'), 'hierarchical_model')
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  expect((await form.findByRole('alert')).textContent).toContain('Embedding model is not configured.')
  expect(form.getByLabelText<HTMLTextAreaElement>(/^text/).value).toBe('The gap stays small.')
  expect(state.sent).toEqual([
    {
      name: 'Manual',
      text: 'The gap stays small.',
      indexing_technique: 'high_quality',
      doc_form: 'hierarchical_model',
      process_rule: {
        mode: 'hierarchical',
        rules: {
          pre_processing_rules: [
            { id: 'remove_extra_spaces', enabled: true },
            { id: 'remove_urls_emails', enabled: false },
          ],
          segmentation: { separator: '\n\n', max_tokens: 500, chunk_overlap: 50 },
          parent_mode: 'paragraph',
          subchunk_segmentation: { separator: '\n', max_tokens: 200, chunk_overlap: 0 },
        },
      },
    },
  ])
})

test('a form that is not right is not sent and says what would be', async () => {
  open()
  const form = await openForm()
  await userEvent.click(form.getByRole('button', { name: 'Add document' }))
  expect(await form.findAllByText('Must have at least 1 character.')).toHaveLength(2)
  expect(state.sent).toEqual([])
})

async function openForm() {
  await screen.findByText('No documents yet')
  await userEvent.click(screen.getAllByRole('button', { name: 'Add document' })[0] as HTMLElement)
  return within(await screen.findByRole('dialog'))
}

function open(search = ''): RenderResult {
  const router = createMemoryRouter([{ path: '/datasets/:dataset_id', Component: DocumentsPage }], {
    initialEntries: [`/datasets/${DATASET}${search}`],
  })
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={newQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
