import { expect, it } from 'vitest'
import type { Account, Member } from '#contract/console/people.ts'
import { TestConsole } from '../app.testing.ts'
import { createPerson, createSender } from './people.testing.ts'

const PASSWORD = 'a quiet lens on paper'

const testConsole = TestConsole.forFile()
const sendFrom = createSender(testConsole)
const invite = (name: string, role = 'viewer') =>
  testConsole.json<Member & { link: string }>('POST', '/api/people', { name, role })
async function acceptInvitation(name: string, role: string) {
  const { id, link } = await invite(name, role)
  const session = await sendFrom('POST', '/api/session', { token: link })
  const { cookie } = await sendFrom('PUT', '/api/account/password', { password: PASSWORD }, { cookie: session.cookie })
  return { id, cookie }
}
const makeToken = (given: object, cookie: string, at?: string) =>
  sendFrom('POST', '/api/account/tokens', { name: 'nightly', role: 'viewer', days: 7, ...given }, { cookie }, at)

it('people give their password for a token, and have few tries', async () => {
  const { cookie } = await acceptInvitation('Ines', 'operator')
  const make = (given: object, at?: string) => makeToken(given, cookie, at)
  const without = await make({})
  expect([without.status, without.body]).toEqual([400, expect.stringContaining('body.password is required')])
  for (let host = 1; host <= 5; host++) {
    const wrong = await make({ password: 'not it' }, `10.78.1.${host}`)
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('body.password is not right')])
  }
  expect((await make({ password: PASSWORD }, '10.78.1.6')).status).toBe(429)
  expect((await make({ password: PASSWORD }, '10.79.1.1')).status).toBe(200)
})

it('people who have no password make a token only soon after signing in', async () => {
  const { cookie, id } = await createPerson(testConsole, 'operator')
  const make = () => makeToken({}, cookie)
  const account = async () => (await sendFrom('GET', '/api/account', undefined, { cookie })).json<Account>()
  expect(await account()).toMatchObject({ needs_fresh_sign_in: false, max_token_days: 365 })
  expect((await make()).status).toBe(200)
  await testConsole.query(
    `UPDATE sessions SET created_at = now() - interval '10 minutes 1 second' WHERE person_id = $1`,
    [id],
  )
  testConsole.console.sessions.invalidateCache()
  const late = await make()
  expect([late.status, late.body]).toEqual([403, expect.stringContaining('Sign in again.')])
  expect(await account()).toMatchObject({ needs_fresh_sign_in: true })
})

it('people end their tokens with their password, unless they say otherwise', async () => {
  const { cookie } = await acceptInvitation('Jo', 'operator')
  const works = async (token: string) =>
    (await sendFrom('GET', '/api/runs', undefined, { authorization: `Bearer ${token}` })).status
  const change = (cookie: string, body: object) => sendFrom('PUT', '/api/account/password', body, { cookie })
  const first = (await makeToken({ password: PASSWORD }, cookie)).json<{ token: string }>().token
  expect(await works(first)).toBe(200)
  const kept = await change(cookie, { old: PASSWORD, password: `${PASSWORD} 2`, revoke_tokens: false })
  expect(kept.status).toBe(200)
  expect(await works(first)).toBe(200)
  const ended = await change(kept.cookie, { old: `${PASSWORD} 2`, password: PASSWORD })
  expect(ended.status).toBe(200)
  expect(await works(first)).toBe(401)
  const data = await testConsole.list<{ detail: unknown }>('/api/audit?action=account.password')
  expect(data.slice(0, 2).map(({ detail }) => detail)).toEqual([{ tokens_revoked: 1 }, { tokens_revoked: 0 }])
})

it('people are linked and invited by a session alone, and never by themselves', async () => {
  const { id, cookie } = await acceptInvitation('Kim', 'admin')
  const other = await invite('Lou')
  const made = await makeToken({ role: 'admin', password: PASSWORD }, cookie)
  const bearer = { authorization: `Bearer ${made.json<{ token: string }>().token}`, 'x-console': '' }
  expect((await sendFrom('GET', '/api/people', undefined, bearer)).status).toBe(200)
  for (const [path, body] of [
    [`/api/people/${id}/link`, undefined],
    [`/api/people/${other.id}/link`, undefined],
    ['/api/people', { name: 'Max', role: 'admin' }],
  ] as const) {
    const refused = await sendFrom('POST', path, body, bearer)
    expect([path, refused.status, refused.body]).toEqual([path, 403, expect.stringContaining('An access token cannot')])
  }
  const change = (body: object) => sendFrom('PATCH', `/api/people/${other.id}`, body, bearer)
  for (const body of [{ role: 'admin' }, { disabled: false }, { narrowed: false }, { disabled: true, role: 'admin' }]) {
    const refused = await change(body)
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('An access token cannot')])
  }
  expect((await change({ disabled: true })).json()).toMatchObject({ role: 'viewer', disabled_at: expect.any(String) })
  expect((await sendFrom('PATCH', `/api/people/${other.id}`, { disabled: false }, { cookie })).status).toBe(200)
  const self = await sendFrom('POST', `/api/people/${id}/link`, undefined, { cookie })
  expect([self.status, self.body]).toEqual([409, expect.stringContaining('Sign-in links are for other people.')])
  expect((await sendFrom('POST', `/api/people/${other.id}/link`, undefined, { cookie })).status).toBe(200)
  expect(await testConsole.query('SELECT 1 FROM sign_in_links WHERE person_id = $1', [id])).toEqual([])
})
