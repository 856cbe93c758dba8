import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { newQueryClient } from './query.ts'
import { makeSession } from './session.testing.ts'
import { useWorkspace } from './useWorkspace.ts'

const FIRST = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const SECOND = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
const toWorkspace = (id: string, name: string) => ({
  id,
  name,
  base_url: 'http://p/v1',
  builtin: false,
  created_at: '2026-11-21T12:00:00Z',
  keys: [],
})
let workspaces = [toWorkspace(FIRST, 'First'), toWorkspace(SECOND, 'Second')]
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: workspaces, total: workspaces.length })),
)
beforeAll(() => server.listen())
afterAll(() => server.close())
beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

function Shown() {
  return <p>workspace {useWorkspace().workspace?.name}</p>
}

function open(path: string) {
  const router = createMemoryRouter([{ path: '*', Component: Shown }], { initialEntries: [path] })
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}

test('a page without a workspace in its URL keeps the one that was chosen', async () => {
  const router = open(`/chat?workspace=${SECOND}`)
  await screen.findByText('workspace Second')
  await router.navigate('/')
  await screen.findByText('workspace Second')
  await router.navigate(`/chat?workspace=${FIRST}`)
  await screen.findByText('workspace First')
  await router.navigate('/workspaces')
  await screen.findByText('workspace First')
})

test('another tab begins with the last one, and a deleted one is forgotten', async () => {
  localStorage.setItem('loupe.workspace', SECOND)
  open('/')
  await screen.findByText('workspace Second')
  workspaces = [toWorkspace(FIRST, 'First')]
  open('/')
  await screen.findByText('workspace First')
})
