import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Resource } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import { newQueryClient } from '../../client/query.ts'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'
import { makeSession, makeWorkspace } from '../../client/session.testing.ts'
import { makeBatch } from '../../features/batches/batch.testing.ts'
import { AppProviders } from './AppProviders.tsx'
import { AppRouter } from '../router.tsx'

const HOME = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const OTHER = '6b0f7f4e-2a55-4a0e-9b7c-0d8d1f5f7a11'
const DATASET = '96f9465c-523c-4a73-aee3-31c317abd40d'
const DOCUMENT = '80b2f014-4c68-47c0-a2d4-8c0e189c101e'
const SEGMENT = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const at = '2026-11-21T12:00:00Z'

/** What the console's server knows; a test changes what it is about. */
const state = { signedIn: true, things: [] as Resource[], adopted: [] as unknown[], refusesAdoption: false }

const toResource = (kind: Resource['kind'], id: string, label: string, parent: string | null = null): Resource => ({
  kind,
  id,
  label,
  parent,
  workspace: HOME,
  first_seen: at,
  last_seen: at,
  payload: null,
})
const denied = () =>
  HttpResponse.json({ kind: 'denied', status: 401, message: 'You are not signed in.' }, { status: 401 })

const server = serveApi(
  http.get('*/api/session', () => (state.signedIn ? HttpResponse.json(makeSession('admin')) : denied())),
  http.post('*/api/session', () => {
    state.signedIn = true
    return HttpResponse.json(makeSession('admin'))
  }),
  http.get('*/api/session/methods', () => HttpResponse.json({ password: false, provider: null, proxy: null })),
  http.get('*/api/workspaces', () =>
    HttpResponse.json({ data: [makeWorkspace({ id: HOME, name: 'home' }), makeWorkspace({ id: OTHER })], total: 2 }),
  ),
  http.get('*/api/runs', () => HttpResponse.json(toPage([]))),
  http.get('*/api/resources', ({ request }) => {
    if (!state.signedIn) return denied()
    const { searchParams: asked } = new URL(request.url)
    const data = state.things.filter(
      ({ id, kind, label }) =>
        (!asked.has('id') || asked.get('id') === id) &&
        (!asked.has('kind') || asked.get('kind') === kind) &&
        (!asked.has('q') || label?.includes(asked.get('q') ?? '')),
    )
    return HttpResponse.json(toPage(data))
  }),
  http.get('*/api/id-lookup', ({ request }) => {
    const data = state.things
      .filter(({ id }) => id === new URL(request.url).searchParams.get('id'))
      .map(({ kind, id, label, workspace, first_seen, last_seen, parent }) => ({
        kind,
        id,
        label,
        workspace,
        first_seen,
        last_seen,
        holders: [
          ...(parent ? [{ kind: 'document', id: parent }] : []),
          ...(parent ? [{ kind: 'dataset', id: DATASET }] : []),
        ],
        run: null,
      }))
    return HttpResponse.json({ data, total: data.length })
  }),
  http.post('*/api/resources', async ({ request }) => {
    state.adopted.push(await request.json())
    if (state.refusesAdoption)
      return HttpResponse.json({ kind: 'denied', status: 403, message: 'Viewers adopt nothing.' }, { status: 403 })
    return HttpResponse.json(toResource('dataset', DATASET, 'Handbook'))
  }),
)
beforeEach(() => {
  Object.assign(state, {
    signedIn: true,
    things: [toResource('dataset', DATASET, 'Handbook')],
    adopted: [],
    refusesAdoption: false,
  })
  localStorage.clear()
  sessionStorage.clear()
})

test('`g` and `d` go to the datasets of the workspace one is in', async () => {
  await open(`/nowhere?workspace=${OTHER}`)
  await screen.findByRole('combobox', { name: 'Workspace' })
  await userEvent.setup({ delay: null }).keyboard('gd')
  await screen.findByRole('heading', { level: 1, name: 'Datasets' })
  expect(location.search).toBe(`?workspace=${OTHER}`)
})

test('letters can be switched off, and the palette’s key stays', async () => {
  await open('/datasets')
  await userEvent.keyboard('{Shift>}?{/Shift}')
  await userEvent.click(await screen.findByRole('switch', { name: /^Single-key shortcuts/ }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('[[{Shift>}?{/Shift}')
  expect(screen.getByRole('button', { name: 'Collapse the navigation' })).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Search or paste an id' })
})

test('a session that ends under one’s hands leads to sign-in, and back to the same page', async () => {
  await open('/datasets?q=Handbook')
  await screen.findByRole('link', { name: 'Handbook' })
  state.signedIn = false
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await userEvent.click(await screen.findByLabelText('Token from the link'))
  await userEvent.paste('lp_token')
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Datasets' })
  expect(location.pathname + location.search).toBe('/datasets?q=Handbook')
  await screen.findByRole('link', { name: 'Handbook' })
})

test('a later read of the session that fails leaves the screen as it is', async () => {
  const { client } = await open('/datasets')
  const field = await screen.findByRole<HTMLInputElement>('searchbox')
  await userEvent.type(field, 'Hand')
  await waitFor(() => expect(new URLSearchParams(location.search).get('q')).toBe('Hand'))
  server.use(
    http.get('*/api/session', () =>
      HttpResponse.json({ kind: 'fault', status: 503, message: 'Busy.' }, { status: 503 }),
    ),
  )
  await client.refetchQueries({ queryKey: ['/api/session'] })
  expect(client.getQueryState(['/api/session'])?.status).toBe('error')
  await userEvent.type(field, 'book')
  expect(screen.getByRole('searchbox')).toBe(field)
  expect(field.value).toBe('Handbook')
})

test('another workspace shows its own list, not a thing of the one that was left', async () => {
  await open(`/datasets/${DATASET}`)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Workspace' }), OTHER)
  await screen.findByRole('heading', { level: 1, name: 'Datasets' })
  expect(location.pathname + location.search).toBe(`/datasets?workspace=${OTHER}`)
})

test('workspaces of the same name and address are numbered', async () => {
  const data = [HOME, OTHER].map((id) =>
    makeWorkspace({ id, name: 'Staging', base_url: 'https://platform.example/v1' }),
  )
  server.use(http.get('*/api/workspaces', () => HttpResponse.json({ data, total: 2 })))
  await open('/datasets')
  const options = await screen.findAllByRole('option', { name: /^Staging/ })
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Staging (platform.example)',
    'Staging 2 (platform.example)',
  ])
})

test('a dialog opened for one batch is closed on the page of the next', async () => {
  const other = '0a9a1f5a-0000-4000-8000-000000000002'
  const batches = [makeBatch({ key: HOME, workspace: HOME }), makeBatch({ id: other, name: 'Others', workspace: HOME })]
  server.use(
    http.get('*/api/batches/:batch_id', ({ params }) =>
      HttpResponse.json(batches.find(({ id }) => id === params['batch_id'])),
    ),
    http.get('*/api/batches/:batch_id/rows', () => HttpResponse.json(toPage([]))),
  )
  await open(paths.batch(other))
  await screen.findByRole('heading', { name: 'Others' })
  goTo(paths.batch(batches[0]?.id ?? ''))
  await screen.findByRole('heading', { name: 'Texts' })
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  // The transition of the menu may be late on a busy machine.
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Delete/, hidden: true }))
  await screen.findByRole('dialog')
  goTo(paths.batch(other))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a URL that names no workspace of this person says that another one is shown', async () => {
  await open(`/datasets?workspace=${DATASET}`)
  expect((await screen.findByRole('alert')).textContent).toContain('This page shows home in its place.')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Workspace' }), OTHER)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('the palette opens the segment that an id names, in its document', async () => {
  state.things = [
    toResource('document', DOCUMENT, 'Manual', DATASET),
    toResource('segment', SEGMENT, 'The gap stays small.', DOCUMENT),
  ]
  const palette = await openPalette()
  await userEvent.click(palette.input)
  await userEvent.paste(SEGMENT.toUpperCase())
  await userEvent.click(await palette.findByRole('option', { name: /^Open segment The gap/ }))
  await waitFor(() => expect(location.pathname).toBe(`/datasets/${DATASET}/documents/${DOCUMENT}`))
  expect(new URLSearchParams(location.search).get('segment')).toBe(SEGMENT)
})

test('an id that nobody here has seen can be adopted, and a refusal is shown', async () => {
  state.things = []
  state.refusesAdoption = true
  const palette = await openPalette()
  await userEvent.click(palette.input)
  await userEvent.paste(DATASET)
  await palette.findByText('This console has not seen this id.')
  const adopt = await palette.findByRole('option', { name: /^Add it/ })
  await userEvent.click(adopt)
  expect((await palette.findByRole('alert')).textContent).toContain('Viewers adopt nothing.')
  state.refusesAdoption = false
  await userEvent.click(adopt)
  await waitFor(() => expect(location.pathname).toBe(`/datasets/${DATASET}`))
  expect(state.adopted.at(-1)).toEqual({ kind: 'dataset', id: DATASET, workspace: HOME })
})

// The last test: the page has to be loaded again, which no test can do.
test('the drafts of another person are deleted, and nothing is drawn before', async () => {
  sessionStorage.setItem('loupe.person', OTHER)
  sessionStorage.setItem('loupe-draft:app:new', '{"query":"a secret"}')
  history.replaceState(null, '', '/datasets')
  render(
    <AppProviders client={newQueryClient()}>
      <AppRouter />
    </AppProviders>,
  )
  await waitFor(() => expect(sessionStorage.length).toBe(0))
  expect(screen.queryByRole('main')).toBeNull()
})

async function open(path: string) {
  history.replaceState(null, '', path)
  const client = newQueryClient()
  const rendered = render(
    <AppProviders client={client}>
      <AppRouter />
    </AppProviders>,
  )
  await screen.findByRole('main')
  return { ...rendered, client }
}

/** As Back and Forward do. */
function goTo(path: string) {
  history.pushState(null, '', path)
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
}

async function openPalette() {
  await open('/nowhere')
  await userEvent.keyboard('{Control>}k{/Control}')
  const dialog = await screen.findByRole('dialog')
  return { ...within(dialog), input: within(dialog).getByRole('combobox') }
}
