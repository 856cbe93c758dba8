import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Account, Member } from '#contract/console/people.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { recordAudit, verifyAudit } from './audit/auditLog.ts'
import { createPerson, createSender } from './people.testing.ts'

const PASSWORD = 'a quiet lens on paper'

describe('people', () => {
  const bench = TestConsole.forFile()
  const from = createSender(bench)
  const signIn = (name: string, password: string, at?: string) =>
    from('POST', '/api/session', { name, password }, {}, at)
  const invite = async (name: string, role = 'viewer') =>
    bench.json<Member & { link: string }>('POST', '/api/people', { name, role })
  /** A person with a password, by the way that people go. */
  const join = async (name: string, role = 'viewer') => {
    const { id, link } = await invite(name, role)
    const session = await from('POST', '/api/session', { token: link })
    const set = await from('PUT', '/api/account/password', { password: PASSWORD }, { cookie: session.cookie })
    expect([set.status, set.body]).toEqual([200, expect.any(String)])
    return { id, cookie: set.cookie, before: session.cookie }
  }
  const status = async (cookie: string, path = '/api/session') =>
    (await from('GET', path, undefined, { cookie })).status

  it('come by a link that works once, and do nothing before they have a password', async () => {
    const { link } = await invite('Ana')
    const session = await from('POST', '/api/session', { token: link })
    expect(session.json()).toMatchObject({ person: { name: 'Ana', role: 'viewer' }, needs_account: true })
    expect((await from('POST', '/api/session', { token: link })).status).toBe(401)
    for (const path of ['/api/runs', '/api/workspaces', '/api/account'])
      expect((await from('GET', path, undefined, { cookie: session.cookie })).status).toBe(403)
    const set = await from(
      'PUT',
      '/api/account/password',
      { password: PASSWORD, name: 'Ana B' },
      { cookie: session.cookie },
    )
    expect(set.json()).toMatchObject({
      person: { name: 'Ana B', default_user: 'Ana B' },
      needs_account: false,
      has_account: true,
    })
    expect(await status(session.cookie)).toBe(401)
    expect(await status(set.cookie, '/api/runs')).toBe(200)
    expect((await signIn('ana b', PASSWORD)).status).toBe(200)
    const rows = await bench.query<{ password: string }>(`SELECT password FROM people WHERE name = 'Ana B'`)
    expect(rows[0]?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('choose a new password by the link for a lost one, which does nothing else', async () => {
    const { id } = await join('Ann')
    const { link } = await bench.json<{ link: string }>('POST', `/api/people/${id}/link`)
    const { cookie } = await from('POST', '/api/session', { token: link })
    const refused = await from('GET', '/api/runs', undefined, { cookie })
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('Choose a password')])
    const set = await from('PUT', '/api/account/password', { password: `${PASSWORD} too` }, { cookie })
    expect(set.status).toBe(200)
    expect(await status(set.cookie, '/api/runs')).toBe(200)
    expect((await signIn('Ann', PASSWORD)).status).toBe(401)
    expect((await signIn('Ann', `${PASSWORD} too`)).status).toBe(200)
  })

  it('choose passwords that are long enough, whole, and not common', async () => {
    const { link } = await invite('Bo')
    const { cookie } = await from('POST', '/api/session', { token: link })
    const set = (password: string, old?: string) => from('PUT', '/api/account/password', { password, old }, { cookie })
    for (const [password, word] of [
      ['elevenchars', 'at least 12'],
      ['x'.repeat(129), 'at most 128'],
      ['aaaaaaaaaaaaaaaa', 'too few'],
      ['qwertyuiop123', 'common'],
      ['bobobobobobobo', 'too few'],
    ] as const) {
      const { status, body } = await set(password)
      expect([password, status, body.includes(word)]).toEqual([password, 400, true])
    }
    const long = `${'é🙂'.repeat(40)}${'z'.repeat(47)}`
    const first = await set(`${long}a`)
    expect(first.status).toBe(200)
    expect((await signIn('Bo', `${long}b`)).status).toBe(401)
    expect((await signIn('Bo', long)).status).toBe(401)
    expect((await signIn('Bo', `${long}a`)).status).toBe(200)
    const change = (old: string | undefined, password: string) =>
      from('PUT', '/api/account/password', { password, old }, { cookie: first.cookie })
    expect((await change(undefined, PASSWORD)).status).toBe(400)
    expect((await change('not it', PASSWORD)).status).toBe(400)
    expect((await change(`${long}a`, PASSWORD)).status).toBe(200)
    expect(await status(first.cookie)).toBe(401)
  })

  it('are refused in the same words, whatever is wrong, and locked out by network after five failures', async () => {
    await join('Cy')
    const disabled = await join('Di')
    await bench.json('PATCH', `/api/people/${disabled.id}`, { disabled: true })
    const responses = [
      await signIn('Cy', 'wrong'),
      await signIn('Nobody', PASSWORD),
      await signIn('Di', PASSWORD),
      await signIn("' OR 1=1 --", 'x'),
    ]
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(401)
    const guess = (host: number, password = 'wrong') => signIn('Cy', password, `10.77.1.${host}`)
    for (let host = 1; host <= 5; host++) expect((await guess(host)).status).toBe(401)
    const locked = await guess(6, PASSWORD)
    expect(locked.status).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(800)
    expect((await signIn('Cy', PASSWORD, '10.77.2.1')).status).toBe(200)
    await bench.restart()
    expect((await guess(7, PASSWORD)).status).toBe(429)
    await bench.query(
      `UPDATE login_attempts SET locked_until = now() - interval '1 second', first_at = now() - interval '16 minutes'`,
    )
    expect((await guess(8, PASSWORD)).status).toBe(200)
  })

  it('lose what is open within seconds when they are disabled, while their runs go on', async () => {
    const { id, cookie } = await join('Eve', 'operator')
    bench.platform.script = (_seen, response) =>
      answerSlowly(
        response,
        createAnswerIds(),
        Array.from({ length: 400 }, () => 'word '),
        50,
      )
    const run = await fetch(`${bench.url}/api/keys/${bench.keys.chat}/chat-messages`, {
      method: 'POST',
      headers: { cookie, 'x-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'q', user: 'u', response_mode: 'streaming' }),
    })
    const run_id = run.headers.get('run-id') ?? ''
    const socket = new WebSocket(`${bench.url.replace('http', 'ws')}/api/live`, { headers: { cookie } })
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    await bench.json('PATCH', `/api/people/${id}`, { disabled: true })
    const text = await run.text()
    expect(text).not.toContain('event: loupe.run')
    expect(await closed).toBe(4401)
    expect(await status(cookie)).toBe(401)
    expect(await bench.json('GET', `/api/runs/${run_id}`)).toMatchObject({ status: 'streaming' })
    await bench.json('PATCH', `/api/people/${id}`, { disabled: false })
    expect(await status(cookie)).toBe(401)
    expect((await signIn('Eve', PASSWORD)).status).toBe(200)
  })

  it('sign in again after a new role; see at once what is granted and what is taken', async () => {
    const { id, cookie } = await join('Fay', 'operator')
    await bench.json('PATCH', `/api/people/${id}`, { role: 'viewer' })
    expect(await status(cookie)).toBe(401)
    const again = (await signIn('Fay', PASSWORD)).cookie
    expect(await status(again, '/api/people')).toBe(403)
    const names = async () =>
      (await from('GET', '/api/workspaces', undefined, { cookie: again })).json<{ total: number }>().total
    expect(await names()).toBe(1)
    await bench.json('PATCH', `/api/people/${id}`, { narrowed: true, grants: [] })
    expect(await names()).toBe(0)
    await bench.json('PATCH', `/api/people/${id}`, { grants: [{ workspace: bench.workspace, key: bench.keys.chat }] })
    const unknown = await bench.fetch('PATCH', `/api/people/${id}`, { grants: [{ workspace: id, key: null }] })
    expect(unknown.status).toBe(404)
    expect(await names()).toBe(1)
  })

  it('are told of those operations of a platform that their role may call', async () => {
    const { cookie } = await join('Ulf', 'viewer')
    const offered = { state: 'offered' }
    await bench.query('UPDATE keys SET capabilities = $2 WHERE id = $1', [
      bench.keys.chat,
      { listMessages: offered, stopChat: offered, 'chat.send': offered },
    ])
    const listOffers = async (headers: Record<string, string>) => {
      const { data } = (await from('GET', '/api/workspaces', undefined, headers)).json<{ data: Workspace[] }>()
      return data
        .flatMap(({ keys }) => keys)
        .find(({ id }) => id === bench.keys.chat)
        ?.offers.toSorted()
    }
    expect(await listOffers({ cookie })).toEqual(['listMessages'])
    expect(await listOffers({ cookie: (await join('Vic', 'operator')).cookie })).toEqual(['listMessages', 'stopChat'])
  })

  it('are invited with their grants, and the audit log names what was granted', async () => {
    const grants = [{ workspace: bench.workspace, key: bench.keys.chat }]
    const member = await bench.json<Member & { link: string }>('POST', '/api/people', {
      name: 'Ivo',
      role: 'operator',
      narrowed: true,
      grants,
    })
    expect(member).toMatchObject({ narrowed: true, grants })
    const { cookie } = await from('POST', '/api/session', { token: member.link })
    const set = await from('PUT', '/api/account/password', { password: PASSWORD }, { cookie })
    const { data } = (await from('GET', '/api/workspaces', undefined, { cookie: set.cookie })).json<{
      data: { access: string; keys: { id: string }[] }[]
    }>()
    expect(data).toMatchObject([{ access: 'keys', keys: [{ id: bench.keys.chat }] }])
    expect(data[0]?.keys).toHaveLength(1)
    await bench.json('PATCH', `/api/people/${member.id}`, { grants: [{ workspace: bench.workspace, key: null }] })
    const whole = await from('GET', '/api/workspaces', undefined, { cookie: set.cookie })
    expect(whole.json()).toMatchObject({ data: [{ access: 'all' }] })

    const audit = await bench.json<{ data: { action: string; detail: unknown }[] }>(
      'GET',
      `/api/audit?about=${member.id}`,
    )
    const named = (key: string | null) => [
      expect.objectContaining({
        workspace_name: expect.any(String),
        key_label: key === null ? null : expect.any(String),
      }),
    ]
    expect(audit.data.find(({ action }) => action === 'person.invited')?.detail).toEqual({
      role: 'operator',
      narrowed: true,
      grants: named('chat'),
    })
    expect(audit.data.find(({ action }) => action === 'person.grants')?.detail).toEqual({
      narrowed: true,
      grants: named(null),
    })
    // A grant of something that does not exist invites nobody.
    const unknown = { name: 'Una', role: 'viewer', narrowed: true, grants: [{ workspace: member.id, key: null }] }
    expect((await bench.fetch('POST', '/api/people', unknown)).status).toBe(404)
    const people = await bench.list<Member>('/api/people')
    expect(people.map(({ name }) => name)).not.toContain('Una')
  })

  it('keep one admin, also when two take each other away at once', async () => {
    const one = await createPerson(bench, 'admin')
    const two = await createPerson(bench, 'admin')
    await bench.query(`UPDATE people SET role = 'viewer' WHERE role = 'admin' AND id <> ALL($1)`, [[one.id, two.id]])
    bench.console.sessions.invalidateCache()
    const statuses = await Promise.all([
      from('PATCH', `/api/people/${two.id}`, { role: 'viewer' }, { cookie: one.cookie }),
      from('PATCH', `/api/people/${one.id}`, { disabled: true }, { cookie: two.cookie }),
    ])
    expect(statuses.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const rows = await bench.query(`SELECT 1 FROM people WHERE role = 'admin' AND disabled_at IS NULL`)
    expect(rows).toHaveLength(1)
    await bench.query(`UPDATE people SET role = 'admin' WHERE name = 'admin'`)
    bench.console.sessions.invalidateCache()
  })

  it('see and end their sessions, and nobody else’s', async () => {
    const { cookie } = await join('Gil')
    const other = (await signIn('Gil', PASSWORD)).cookie
    const account = (await from('GET', '/api/account', undefined, { cookie })).json<Account>()
    expect(account.sessions.map(({ current }) => current).sort()).toEqual([false, true])
    const stranger = await createPerson(bench, 'operator')
    const target = account.sessions.find(({ current }) => !current)?.id ?? ''
    expect(
      (await from('DELETE', `/api/account/sessions/${target}`, undefined, { cookie: stranger.cookie })).status,
    ).toBe(404)
    expect(await status(other)).toBe(200)
    expect((await from('DELETE', `/api/account/sessions/${target}`, undefined, { cookie })).status).toBe(200)
    expect(await status(other)).toBe(401)
    expect(await status(cookie)).toBe(200)
  })

  it('give scripts tokens, which may no more than they and the token’s role may', async () => {
    const { id, cookie } = await join('Hal', 'operator')
    const make = (role: string, headers: Record<string, string> = { cookie }) =>
      from('POST', '/api/account/tokens', { name: 'nightly', role, days: 7, password: PASSWORD }, headers)
    expect((await make('admin')).status).toBe(400)
    const made = (await make('viewer')).json<{ id: string; token: string; hint: string }>()
    expect(made.token).toMatch(/^lpt_[\w-]{43}$/)
    const bearer = { authorization: `Bearer ${made.token}`, 'x-console': '' }
    expect((await from('GET', '/api/runs', undefined, bearer)).status).toBe(200)
    const board = { kind: 'board', workspace: bench.workspace, name: 'k', value: 1 }
    expect((await from('POST', '/api/saved-items', board, bearer)).status).toBe(403)
    expect((await make('viewer', bearer)).status).toBe(403)
    const strong = (await make('operator')).json<{ token: string }>()
    const strongBearer = { authorization: `Bearer ${strong.token}`, 'x-console': '' }
    expect((await from('POST', '/api/saved-items', board, strongBearer)).status).toBe(200)
    expect((await from('GET', '/api/runs', undefined, { ...bearer, cookie })).status).toBe(400)
    for (const authorization of ['Bearer', 'Basic eDp5', `Bearer ${made.token}x`, `Token ${made.token}`])
      expect((await from('GET', '/api/runs', undefined, { authorization })).status).toBe(401)
    const rows = await bench.query<{ text: string }>('SELECT access_tokens::text AS text FROM access_tokens')
    expect(rows.every(({ text }) => !text.includes(made.token))).toBe(true)
    expect((await from('GET', '/api/account', undefined, { cookie })).body).not.toContain(made.token)
    expect((await from('DELETE', `/api/account/tokens/${made.id}`, undefined, { cookie })).status).toBe(200)
    expect((await from('GET', '/api/runs', undefined, bearer)).status).toBe(401)
    await bench.json('DELETE', `/api/people/${id}/sessions`)
    expect((await from('GET', '/api/runs', undefined, { authorization: `Bearer ${strong.token}` })).status).toBe(401)
  })

  it('leave a record of what was done, which nobody changes unseen', async () => {
    const { pool } = bench.database
    const listed = await bench.json<{ data: { action: string }[] }>('GET', '/api/audit?limit=200')
    for (const action of [
      'person.invited',
      'account.password',
      'session.begun',
      'session.refused',
      'person.role',
      'person.disabled',
      'person.grants',
      'token.made',
      'token.revoked',
      'session.ended',
    ])
      expect(listed.data.map((one) => one.action)).toContain(action)
    expect(JSON.stringify(listed)).not.toContain(PASSWORD)
    expect((await bench.fetch('GET', '/api/audit?from=0000-01-01T00:00:00Z')).status).toBe(400)
    const some = await bench.json<{ data: { action: string }[] }>('GET', '/api/audit?action=person.&person=fay')
    expect(some.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.invited', 'person.role', 'person.grants']),
    )
    const before = await verifyAudit(pool, await bench.console.vault.encryption.auditKeys())
    expect(before).toMatchObject({ firstInvalidRow: null })
    expect(before.rows).toBeGreaterThan(20)
    await expect(pool.query(`UPDATE audit SET person = 'somebody' WHERE seq = 7`)).rejects.toThrow(/append-only/)
    await expect(pool.query('DELETE FROM audit WHERE seq = 7')).rejects.toThrow(/append-only/)
    await expect(
      bench.database.transaction(async (client) => {
        await recordAudit(client, { action: 'key.created' })
        throw new Error('the change failed')
      }),
    ).rejects.toThrow('the change failed')
    expect(await verifyAudit(pool, await bench.console.vault.encryption.auditKeys())).toEqual(before)
    await pool.query('ALTER TABLE audit DISABLE TRIGGER audit_append_only')
    await pool.query(`UPDATE audit SET label = 'Mallory' WHERE seq = 7`)
    expect(await verifyAudit(pool, await bench.console.vault.encryption.auditKeys())).toMatchObject({
      rows: 6,
      firstInvalidRow: { seq: 7, why: 'it is not what was written' },
    })
  })
})
