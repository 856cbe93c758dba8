import { configure, type RenderResult } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { Route, Routes } from 'react-router'
import { beforeEach } from 'vitest'
import { DocumentsPage } from './DocumentsPage.tsx'
import { makeKey, makeSession, makeWorkspace } from '../../../client/session.testing.ts'
import type { Call } from '#contract/console/calls.ts'
import type { Role } from '#contract/permissions.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'

const WORKSPACE = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
export const KEY = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
export const DATASET = '96f9465c-523c-4a73-aee3-31c317abd40d'
export const DOCUMENT = '80b2f014-4c68-47c0-a2d4-8c0e189c101e'

/** What the console's server answers; a test changes what it is about. */
export const state = {
  documents: [] as Record<string, unknown>[],
  total: 0,
  asked: [] as string[],
  sent: [] as unknown[],
  /** The reply to a creation; null where it is refused. */
  created: null as Record<string, unknown> | null,
  /** Calls of the ledger, which are the history of a document. */
  calls: [] as Call[],
  role: 'operator' as Role,
  isBuiltIn: true,
}
const knowledge = { ...makeKey('knowledge', 'Knowledge'), id: KEY }

// To find out what is hidden costs more than the rest of a query on a page of this size.
configure({ defaultHidden: true })
export const server = serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.get('*/api/workspaces', () => {
    const workspace = makeWorkspace({ id: WORKSPACE, builtin: state.isBuiltIn, keys: [knowledge] })
    return HttpResponse.json({ data: [workspace], total: 1 })
  }),
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
  const empty = { documents: [], total: 0, asked: [], sent: [], created: null, calls: [], role: 'operator' }
  Object.assign(state, empty, { isBuiltIn: true })
  sessionStorage.clear()
  localStorage.clear()
})

/** Opens the documents of the dataset. */
export function open(search = ''): RenderResult {
  history.replaceState(null, '', `/datasets/${DATASET}${search}`)
  return renderPage(
    <Routes>
      <Route path="/datasets/:dataset_id" element={<DocumentsPage />} />
    </Routes>,
    { router: 'window' },
  )
}
