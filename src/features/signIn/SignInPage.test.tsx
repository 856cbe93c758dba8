import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { SignInPage } from './SignInPage.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi } from '../../client/consoleApi.testing.ts'

const state = { ways: {}, sent: [] as unknown[] }
const signedOut = () =>
  HttpResponse.json({ kind: 'denied', status: 401, message: 'You are not signed in.' }, { status: 401 })
serveApi(
  http.get('*/api/session', signedOut),
  http.get('*/api/workspaces', signedOut),
  http.get('*/api/session/methods', () => HttpResponse.json(state.ways)),
  http.post('*/api/session', async ({ request }) => {
    state.sent.push(await request.json())
    return HttpResponse.json({ kind: 'denied', status: 401, message: 'This person is disabled here.' }, { status: 401 })
  }),
)
beforeEach(() => {
  state.ways = { password: true, provider: null, proxy: null, ended: null }
  state.sent = []
})

const open = (path: string) => renderPage(<SignInPage />, { path: path })

test('the provider is offered where one is set up, and leads back to the page that was wanted', async () => {
  state.ways = { password: true, provider: 'id.example', proxy: null, ended: null }
  open('/sign-in?next=%2Fruns%3Fpage%3D2')
  const link = await screen.findByRole('link', { name: 'Sign in with id.example' })
  expect(link.getAttribute('href')).toBe('/api/session/oidc?next=%2Fruns%3Fpage%3D2')
})

test('whom the proxy names goes in with one press, or is told why not', async () => {
  state.ways = { password: true, provider: null, proxy: 'zoe', ended: null }
  open('/sign-in')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in as zoe' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This person is disabled here.')
  expect(state.sent).toEqual([{ proxy: true }])
})

test('nothing is offered that is not set up, and no word of an address is drawn', async () => {
  open('/sign-in?refused=Call+this+number')
  await screen.findByRole('textbox', { name: 'Name' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByRole('button', { name: /Sign in (as|with)/ })).toBeNull()
})
