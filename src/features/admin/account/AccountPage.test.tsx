import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Account } from '#contract/console/people.ts'
import { AccountPage } from './AccountPage.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const PERSON = { id: 'p', name: 'Ana', role: 'operator', default_user: 'Ana' } as const
const LOCAL: Account = {
  person: PERSON,
  has_password: true,
  is_external: false,
  needs_fresh_sign_in: false,
  max_token_days: 365,
  sessions: [],
  tokens: [],
}
const WRONG = {
  kind: 'invalid',
  status: 400,
  message: 'body.password is not right',
  fields: [{ path: 'body.password', message: 'is not right' }],
}
const state = { account: LOCAL, sent: [] as unknown[], isWrong: false }
serveApi(
  http.get('*/api/account', () => HttpResponse.json(state.account)),
  http.put('*/api/account/password', async ({ request }) => {
    state.sent.push(await request.json())
    const expires_at = '2026-12-01T00:00:00.000Z'
    return HttpResponse.json({ person: PERSON, expires_at, version: '1', needs_account: false, has_account: true })
  }),
  http.post('*/api/account/tokens', async ({ request }) => {
    state.sent.push(await request.json())
    if (state.isWrong) return HttpResponse.json(WRONG, { status: 400 })
    const times = { created_at: '2026-11-22T00:00:00.000Z', expires_at: '2027-01-01T00:00:00.000Z', used_at: null }
    return HttpResponse.json({ id: 't', name: 'nightly', hint: 'wxyz', role: 'viewer', ...times, token: 'lpt_wxyz' })
  }),
)
beforeEach(() => {
  Object.assign(state, { account: LOCAL, sent: [], isWrong: false })
})

const open = () => renderPage(<AccountPage />)
const part = async (name: string) => within(await screen.findByRole('region', { name }))

async function changePassword(isRevoking: boolean) {
  open()
  const form = await part('Password')
  const revoke = form.getByRole<HTMLInputElement>('checkbox', { name: 'Also revoke my access tokens' })
  expect(revoke.checked).toBe(true)
  if (!isRevoking) await userEvent.click(revoke)
  await userEvent.type(form.getByLabelText('Current password'), 'old one')
  await userEvent.type(form.getByLabelText('New password'), 'new one')
  await userEvent.type(form.getByLabelText('Confirm new password'), 'new one')
  await userEvent.click(form.getByRole('button', { name: 'Change password' }))
  await screen.findByText(/^Password changed/)
}

test.each([true, false])('a new password revokes the tokens: %s', async (isRevoking) => {
  await changePassword(isRevoking)
  expect(state.sent).toEqual([{ old: 'old one', password: 'new one', revoke_tokens: isRevoking }])
})

test('a token takes the password, and what is wrong with it is said at its field', async () => {
  state.isWrong = true
  open()
  const form = await part('Access tokens')
  await userEvent.type(form.getByRole('textbox', { name: 'Token name' }), 'nightly')
  await userEvent.type(form.getByLabelText('Your password'), 'not it')
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  await form.findByText('Is not right.')
  expect(screen.queryByRole('alert')).toBeNull()
  state.isWrong = false
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  await form.findByRole('status')
  expect(state.sent.at(-1)).toEqual({ name: 'nightly', role: 'viewer', days: 90, password: 'not it' })
  expect(form.getByLabelText<HTMLInputElement>('Your password').value).toBe('')
})

test('somebody from elsewhere gives no password, and makes a token for 30 days at most', async () => {
  state.account = { ...LOCAL, has_password: false, is_external: true, max_token_days: 30 }
  open()
  const form = await part('Access tokens')
  expect(form.queryByLabelText('Your password')).toBeNull()
  await userEvent.type(form.getByRole('textbox', { name: 'Token name' }), 'nightly')
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  await form.findByRole('status')
  expect(state.sent).toEqual([{ name: 'nightly', role: 'viewer', days: 30 }])
})

test('a session that is too old is told to sign in again, in the place of the form', async () => {
  state.account = { ...LOCAL, has_password: false, is_external: true, needs_fresh_sign_in: true, max_token_days: 30 }
  open()
  const form = await part('Access tokens')
  expect(form.getByRole('button', { name: 'Sign in again' })).toBeTruthy()
  expect(form.getByText(/last 10 minutes/)).toBeTruthy()
  expect(form.queryByRole('button', { name: 'Create token' })).toBeNull()
})

test('a new token is shown also where the session has become too old by then', async () => {
  state.account = { ...LOCAL, has_password: false }
  open()
  const form = await part('Access tokens')
  await userEvent.type(form.getByRole('textbox', { name: 'Token name' }), 'nightly')
  state.account = { ...state.account, needs_fresh_sign_in: true }
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  await form.findByRole('button', { name: 'Sign in again' })
  expect(form.getByRole('status').textContent).toContain('New token')
})
