import { readFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from '#contract/console/access.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../people.testing.ts'

const SETUP_TOKEN = 'setup-token-of-the-tests'
const SECRET = 'a-secret-between-proxy-and-console'

const testConsole = TestConsole.forFile(undefined, {
  PUBLIC_URL: 'http://127.0.0.1:8787',
  TRUSTED_PROXY: '127.0.0.1',
  PROXY_USER_HEADER: 'X-Remote-User',
  PROXY_SECRET: SECRET,
  PROXY_ROLE: 'viewer',
})
// Nobody has come in yet.
beforeEach(async () => {
  await testConsole.query('DELETE FROM people')
  await testConsole.query('DELETE FROM login_attempts')
  testConsole.console.sessions.invalidateCache()
})

let address = 0
async function signIn(payload: object, headers: Record<string, string> = {}) {
  const from = { cookie: '', 'x-forwarded-for': `192.0.2.${++address}` }
  const response = await testConsole.fetch('POST', '/api/session', payload, { ...from, ...headers })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { status: response.status, cookie, person: ((await response.json()) as Partial<Session>).person }
}
const proxied = (user: string) => ({ 'x-remote-user': user, 'x-proxy-secret': SECRET })
const signInWithSetupToken = () => signIn({ token: SETUP_TOKEN })
const findRole = async (id: string | undefined) => {
  const rows = await testConsole.query<{ role: string; is_disabled: boolean }>(
    'SELECT role, disabled_at IS NOT NULL AS is_disabled FROM people WHERE id = $1',
    [id],
  )
  return rows[0]
}

it('is never somebody who came in elsewhere under the name admin', async () => {
  const stranger = await signIn({ proxy: true }, proxied('admin'))
  expect(stranger.person).toMatchObject({ name: 'admin', role: 'viewer' })
  const owner = await signInWithSetupToken()
  expect(owner.person).toMatchObject({ name: 'admin (2)', role: 'admin' })
  expect(owner.person?.id).not.toBe(stranger.person?.id)
  expect(await findRole(stranger.person?.id)).toEqual({ role: 'viewer', is_disabled: false })
  const headers = { cookie: stranger.cookie, ...proxied('admin') }
  expect((await testConsole.fetch('GET', '/api/people', undefined, headers)).status).toBe(403)
})

it('is never somebody else who is an admin, nor enables one', async () => {
  const other = await createPerson(testConsole, 'admin')
  expect((await signInWithSetupToken()).person?.id).not.toBe(other.id)
  await testConsole.query('DELETE FROM people')
  const disabled = await createPerson(testConsole, 'admin')
  await testConsole.query(`UPDATE people SET name = 'admin', disabled_at = now() WHERE id = $1`, [disabled.id])
  expect((await signInWithSetupToken()).person).toMatchObject({ name: 'admin (2)', role: 'admin' })
  expect(await findRole(disabled.id)).toEqual({ role: 'admin', is_disabled: true })
})

it('is the same person at each sign-in, also at two at once, until the row is an account or was lowered', async () => {
  const [one, two] = await Promise.all([signInWithSetupToken(), signInWithSetupToken()])
  expect(one.person?.id).toBe(two.person?.id)
  const link = await testConsole.console.createLink()
  expect((await signIn({ token: link })).person?.id).toBe(one.person?.id)
  for (const change of [`password = 'argon2'`, `role = 'operator'`, 'disabled_at = now()']) {
    const before = await signInWithSetupToken()
    await testConsole.query(`UPDATE people SET ${change} WHERE id = $1`, [before.person?.id])
    const after = await signInWithSetupToken()
    expect([change, after.person?.role]).toEqual([change, 'admin'])
    expect(after.person?.id).not.toBe(before.person?.id)
  }
  const rows = await testConsole.query(`SELECT 1 FROM audit WHERE action = 'person.created'`)
  expect(rows.length).toBeGreaterThan(3)
})

it('comes by no link of the server once an admin has an account, and by one while only others have', async () => {
  await signIn({ proxy: true }, proxied('vera'))
  const link = await testConsole.console.createLink()
  expect(link, 'printed for the owner, although a viewer has an account').not.toBeNull()
  const admin = await createPerson(testConsole, 'admin')
  await testConsole.query(`UPDATE people SET password = 'argon2' WHERE id = $1`, [admin.id])
  expect((await signIn({ token: link })).status).toBe(401)
  expect(await testConsole.console.createLink()).toBeNull()
  await testConsole.query('UPDATE people SET disabled_at = now() WHERE id = $1', [admin.id])
  expect((await signIn({ token: link })).person).toMatchObject({ name: 'admin', role: 'admin' })
})

it('of an earlier version is known after the upgrade: not who was invited or came in elsewhere', async () => {
  const { pool } = testConsole.database
  const invited = await createPerson(testConsole, 'admin')
  const made = await createPerson(testConsole, 'admin')
  const external = await createPerson(testConsole, 'operator')
  const local = await createPerson(testConsole, 'operator')
  await pool.query(`INSERT INTO identities VALUES ('https://id.example', 'u-1', $1, now())`, [external.id])
  await pool.query(
    `INSERT INTO audit(seq, at, action, about, previous, hash) VALUES (99999, now(), 'person.invited', $1, '', '')`,
    [invited.id],
  )
  for (const { id } of [external, local])
    await pool.query(
      `INSERT INTO access_tokens(id, token, person_id, name, hint, role, created_at, expires_at)
       VALUES ($1::uuid, $1::text, $1::uuid, 'nightly', 'abcd', 'viewer', now(), now() + interval '365 days')`,
      [id],
    )
  await pool.query('DELETE FROM settings')
  const file = readFileSync(new URL('../../db/migrations/0001_identity.sql', import.meta.url), 'utf8')
  const [, handWritten = ''] = file.split('-- Hand-written from here on.')
  for (const statement of handWritten.split('--> statement-breakpoint')) await pool.query(statement)
  expect((await signInWithSetupToken()).person?.id).toBe(made.id)
  const { rows } = await pool.query<{ person_id: string; days: number }>(
    `SELECT person_id, extract(day FROM expires_at - now())::int AS days FROM access_tokens`,
  )
  const days = Object.fromEntries(rows.map((row) => [row.person_id, row.days]))
  expect(days[external.id]).toBeLessThanOrEqual(30)
  expect(days[local.id]).toBeGreaterThan(300)
})
