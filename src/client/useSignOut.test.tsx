import { useQuery } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { makePageWrapper } from './page.testing.tsx'
import { useSignOut } from './useSignOut.ts'
import { serveApi } from './consoleApi.testing.ts'

const PROVIDER_URL = 'https://id.example/session/end?client_id=loupe'
const state = { reply: () => HttpResponse.json({}) as Response }
serveApi(http.delete('*/api/session', () => state.reply()))
const assign = vi.fn()
beforeEach(() => {
  assign.mockReset()
})

const signOut = (signInPage?: string) => {
  const { result } = renderHook(() => useSignOut(signInPage, assign), { wrapper: makePageWrapper() })
  result.current()
}

test.each([
  ['to the provider, where the server names it', { signed_out: true, provider_url: PROVIDER_URL }, PROVIDER_URL],
  ['to the sign-in page otherwise', { signed_out: true, provider_url: null }, '/sign-in?next=%2Faccount'],
])('signing out leads %s, and deletes the drafts', async (_where, reply, page) => {
  sessionStorage.setItem('draft', 'x')
  state.reply = () => HttpResponse.json(reply)
  signOut('/sign-in?next=%2Faccount')
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([[page]]))
  expect(sessionStorage.length).toBe(0)
  // A page that is still there stores one more.
  sessionStorage.setItem('draft', 'y')
  dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.length).toBe(0)
})

test('a sign-out that fails leads to the sign-in page, too', async () => {
  state.reply = () => HttpResponse.json({ kind: 'fault', status: 500, message: 'Failed.', id: '1' }, { status: 500 })
  signOut()
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([['/sign-in']]))
})

test('signing out deletes the drafts and leaves also where its button is gone before the reads are refreshed', async () => {
  sessionStorage.setItem('draft', 'x')
  state.reply = () => HttpResponse.json({ signed_out: true, provider_url: PROVIDER_URL })
  const refresh = vi.fn().mockResolvedValueOnce('calls')
  const { result, unmount } = renderHook(
    () => {
      useQuery({ queryKey: ['calls'], queryFn: refresh, meta: { shows: ['calls'] } })
      return useSignOut(undefined, assign)
    },
    { wrapper: makePageWrapper() },
  )
  refresh.mockImplementation(() => {
    unmount()
    return Promise.resolve('calls')
  })
  result.current()
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([[PROVIDER_URL]]), { timeout: 2_000 })
  expect(sessionStorage.length).toBe(0)
})
