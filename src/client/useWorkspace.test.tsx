import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, test } from 'vitest'
import { makeWorkspace } from './session.testing.ts'
import { renderPage } from './page.testing.tsx'
import { useWorkspace } from './useWorkspace.ts'
import { serveApi } from './consoleApi.testing.ts'

const FIRST = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const SECOND = '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63'
let workspaces = [makeWorkspace({ id: FIRST, name: 'First' }), makeWorkspace({ id: SECOND, name: 'Second' })]
serveApi(http.get('*/api/workspaces', () => HttpResponse.json({ data: workspaces, total: workspaces.length })))
beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

function Shown() {
  return <p>workspace {useWorkspace().workspace?.name}</p>
}

function open(path: string) {
  const router = createMemoryRouter([{ path: '*', Component: Shown }], { initialEntries: [path] })
  renderPage(<RouterProvider router={router} />, { router: 'none' })
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
  workspaces = [makeWorkspace({ id: FIRST, name: 'First' })]
  open('/')
  await screen.findByText('workspace First')
})
