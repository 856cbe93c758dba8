import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '#contract/console/access.ts'
import { TestConsole } from '../../app.testing.ts'
import { verifyAudit } from '../audit/auditLog.ts'
import { CLIENT, ScriptedOpenIdProvider } from './openIdProvider.testing.ts'

const PUBLIC_URL = 'https://loupe.example'

describe('a sign-in at an OpenID provider', () => {
  let provider: ScriptedOpenIdProvider
  const settings = (at: ScriptedOpenIdProvider) => ({
    PUBLIC_URL: PUBLIC_URL,
    OIDC_ISSUER: at.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ROLES: 'groups:loupe-admins=admin,loupe=operator,loupe-viewers=viewer',
  })
  const honest = { sub: 'u-1', email: 'ana@example.org', preferred_username: 'Ana', groups: ['loupe'] }
  beforeAll(async () => {
    provider = await ScriptedOpenIdProvider.start()
  })
  afterAll(() => provider.close())
  const bench = TestConsole.forFile(undefined, () => settings(provider))
  afterEach(() => {
    Object.assign(provider, { claims: honest, deviation: {}, signingMode: 'well' })
  })

  let address = 0
  const get = async (path: string, cookie = '') => {
    const response = await bench.console.app.inject({
      method: 'GET',
      url: path,
      // Each from an address of its own, which has used up none of its sign-ins a minute.
      remoteAddress: `10.50.${++address}.1`,
      headers: { host: 'loupe.example', cookie },
    })
    const held = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]))
    return {
      status: response.statusCode,
      to: String(response.headers.location),
      held,
      all: response.cookies,
      body: response.body,
    }
  }
  const cookieOf = ({ held }: { held: Record<string, string> }, name: string) => `${name}=${held[name]}`
  const begin = async (next = '/runs') => {
    const begun = await get(`/api/session/oidc?next=${encodeURIComponent(next)}`)
    expect(begun.status).toBe(303)
    const there = await fetch(begun.to, { redirect: 'manual' })
    const back = new URL(there.headers.get('location') ?? '')
    expect(back.origin + back.pathname).toBe(`${PUBLIC_URL}/api/session/oidc/callback`)
    return { flow: cookieOf(begun, '__Host-loupe_flow'), back, begun }
  }
  const end = ({ flow, back }: { flow: string; back: URL }) => get(back.pathname + back.search, flow)
  const signIn = async () => end(await begin())
  const sessionOf = async (response: { held: Record<string, string> }) => {
    const { status, body } = await get('/api/session', cookieOf(response, '__Host-loupe_session'))
    return status === 200 ? (JSON.parse(body) as Session) : status
  }
  const count = async (what: string) => {
    const rows = await bench.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${what}`)
    return rows[0]?.count
  }
  const refusedFor = async (response: Awaited<ReturnType<typeof signIn>>) => {
    expect(response.status).toBe(303)
    expect(response.held['__Host-loupe_session']).toBeUndefined()
    return new URL(response.to, PUBLIC_URL).searchParams.get('refused')
  }

  it('ends on the page that was wanted, with the role of the claim and a cookie for TLS alone', async () => {
    expect(JSON.parse((await get('/api/session/methods')).body)).toMatchObject({ provider: new URL(provider.url).host })
    const response = await signIn()
    expect([response.status, response.to]).toEqual([303, '/runs'])
    expect(response.all.find(({ name }) => name === '__Host-loupe_session')).toMatchObject({
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    })
    expect(await sessionOf(response)).toMatchObject({ person: { name: 'Ana', role: 'operator' }, needs_account: false })
    expect(await count(`audit WHERE action = 'person.joined'`)).toBe(1)
    expect(await sessionOf(await signIn())).toMatchObject({ person: { name: 'Ana' } })
    expect(await count(`people WHERE name LIKE 'Ana%'`)).toBe(1)
  })

  it.each([
    ['A\0na', 'A\uFFFDna'],
    ['x'.repeat(5_000), 'x'.repeat(100)],
    ['__proto__', '__proto__'],
  ])('takes a name that people choose there as text: %s', async (preferred_username, name) => {
    provider.claims = { ...honest, sub: `of ${name}`, preferred_username }
    expect(await sessionOf(await signIn())).toMatchObject({ person: { name } })
  })

  it('goes nowhere but to a page of this console', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'runs'])
      expect((await end(await begin(next))).to).toBe('/')
  })

  it.each([
    ['another nonce', { nonce: 'other' }, 'well'],
    ['no nonce', { nonce: undefined }, 'well'],
    ['another audience', { aud: 'somebody-else' }, 'well'],
    ['another issuer', { iss: 'https://evil.example' }, 'well'],
    ['an end that is past', { iat: 1_700_000_000, exp: 1_700_000_300 }, 'well'],
    ['no subject', { sub: undefined }, 'well'],
    ['no signature', {}, 'none'],
    ['the signature of another key', {}, 'stranger'],
  ] as const)('with %s in the token signs nobody in', async (_what, deviation, signingMode) => {
    const before = await count(`audit WHERE action = 'session.refused'`)
    Object.assign(provider, { deviation, signingMode })
    const sessions = await count('sessions')
    expect(await refusedFor(await signIn())).toBe('answer')
    expect(await count('sessions')).toBe(sessions)
    expect(await count(`audit WHERE action = 'session.refused'`)).toBe((before ?? 0) + 1)
  })

  it('with another state, in another browser, a second time, or an error from there signs nobody in', async () => {
    const other = await begin()
    other.back.searchParams.set('state', 'other')
    expect(await refusedFor(await end(other))).toBe('answer')
    const otherBrowser = await begin()
    expect(await refusedFor(await get(otherBrowser.back.pathname + otherBrowser.back.search))).toBe('late')
    const twice = await begin()
    expect((await end(twice)).to).toBe('/runs')
    expect(await refusedFor(await end(twice))).toBe('late')
    // The code of one sign-in in another flow: another verifier, and it is used up.
    const third = await begin()
    third.back.searchParams.set('code', twice.back.searchParams.get('code') ?? '')
    const refused = provider.refused
    expect(await refusedFor(await end(third))).toBe('answer')
    expect(provider.refused).toBe(refused + 1)
    const stolen = await begin()
    const victim = await begin()
    victim.back.searchParams.set('code', stolen.back.searchParams.get('code') ?? '')
    expect(await refusedFor(await end(victim))).toBe('answer')
    const cancelled = await begin()
    cancelled.back.searchParams.delete('code')
    cancelled.back.searchParams.set('error', 'access_denied')
    expect(await refusedFor(await end(cancelled))).toBe('cancelled')
    const old = await begin()
    await bench.query(`UPDATE oidc_flows SET expires_at = now() - interval '1 second'`)
    expect(await refusedFor(await end(old))).toBe('late')
  })

  it('takes the role from the claim each time: without one all that was open ends', async () => {
    const first = await signIn()
    provider.claims = { ...honest, groups: ['loupe', 'loupe-admins'] }
    const raised = await signIn()
    expect(await sessionOf(raised)).toMatchObject({ person: { role: 'admin' } })
    expect(await sessionOf(first)).toBe(401)
    provider.claims = { ...honest, groups: ['others'] }
    expect(await refusedFor(await signIn())).toBe('role')
    expect(await sessionOf(raised)).toBe(401)
    provider.claims = { sub: 'nobody-yet', preferred_username: 'New', groups: [] }
    expect(await refusedFor(await signIn())).toBe('role')
    expect(await count(`people WHERE name = 'New'`)).toBe(0)
  })

  it('keeps the last admin one, and says so', async () => {
    const { pool } = bench.database
    provider.claims = { ...honest, sub: 'u-last', preferred_username: 'Lea', groups: ['loupe-admins'] }
    const first = await signIn()
    const others = await pool.query<{ id: string }>(
      `UPDATE people SET role = 'operator' WHERE role = 'admin' AND name <> 'Lea' RETURNING id`,
    )
    provider.claims = { ...provider.claims, groups: ['loupe'] }
    expect(await sessionOf(await signIn())).toMatchObject({ person: { name: 'Lea', role: 'admin' } })
    expect(await sessionOf(first)).toMatchObject({ person: { role: 'admin' } })
    expect(await count(`audit WHERE action = 'person.last-admin' AND label = 'Lea'`)).toBe(1)
    expect(bench.log).toContain('takes the role of the last admin away')
    // Whom the provider gives no role at all does not come in. They stay an admin, so that somebody can see it.
    provider.claims = { ...provider.claims, groups: [] }
    expect(await refusedFor(await signIn())).toBe('role')
    expect(await count(`people WHERE name = 'Lea' AND role = 'admin'`)).toBe(1)
    expect(await count(`audit WHERE action = 'person.last-admin' AND label = 'Lea'`)).toBe(2)
    await pool.query(`UPDATE people SET role = 'admin' WHERE id = ANY($1)`, [others.rows.map(({ id }) => id)])
    provider.claims = { ...provider.claims, groups: ['loupe'] }
    expect(await sessionOf(await signIn())).toMatchObject({ person: { name: 'Lea', role: 'operator' } })
  })

  it.each([
    ['a lower role', ['loupe-viewers'], /is now viewer/],
    ['no role any more', [], /no role any more/],
  ] as const)('with %s pauses the batches that the person runs', async (what, groups, reason) => {
    const { pool } = bench.database
    provider.claims = { ...honest, sub: `u-${what}`, preferred_username: 'Mia' }
    const session = await sessionOf(await signIn())
    const person = typeof session === 'object' ? session.person.id : ''
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO batches(id, kind, state, workspace_id, key_id, entry, name, settings, at_once, total, person_id,
         started_by, server_id, created_at)
       VALUES (gen_random_uuid(), 'run', 'running', $1, $2, 'completion.send', 'b', '{}', 1, 1, $3, $3, gen_random_uuid(),
         now()) RETURNING id`,
      [bench.workspace, bench.keys.completion, person],
    )
    provider.claims = { ...provider.claims, groups: [...groups] }
    await signIn()
    const { rows: after } = await pool.query('SELECT state, pause, problem FROM batches WHERE id = $1', [rows[0]?.id])
    expect(after[0]).toMatchObject({
      state: 'paused',
      pause: 'no_access',
      problem: { message: expect.stringMatching(reason) as string },
    })
    expect(await count(`audit WHERE action = 'batches.paused' AND about = '${person}'`)).toBe(1)
  })

  it('gives tokens of 30 days at most, which end when the provider lets their person in no more', async () => {
    provider.claims = { ...honest, sub: 'u-token', preferred_username: 'Nia' }
    const cookie = cookieOf(await signIn(), '__Host-loupe_session')
    const make = async (days: number) => {
      const { statusCode, body } = await bench.console.app.inject({
        method: 'POST',
        url: '/api/account/tokens',
        headers: { host: 'loupe.example', 'x-console': '1', cookie },
        payload: { name: 'nightly', role: 'viewer', days },
      })
      return { status: statusCode, body, ...(JSON.parse(body) as { token?: string }) }
    }
    const works = async (token = '') => {
      const headers = { host: 'loupe.example', authorization: `Bearer ${token}` }
      return (await bench.console.app.inject({ method: 'GET', url: '/api/runs', headers })).statusCode
    }
    expect(await make(31)).toMatchObject({ status: 400, body: expect.stringContaining('at most 30') as string })
    const account = await get('/api/account', cookie)
    expect(JSON.parse(account.body)).toMatchObject({ max_token_days: 30, needs_fresh_sign_in: false })
    const { token } = await make(30)
    expect(await works(token)).toBe(200)
    // Another provider is configured, then none.
    const { settings: before } = bench
    for (const OIDC_ISSUER of ['https://other.example', '']) {
      await bench.restart({ ...before, OIDC_ISSUER })
      expect(await works(token)).toBe(401)
    }
    await bench.restart(before)
    expect(await works(token)).toBe(200)
    provider.claims = { ...provider.claims, groups: [] }
    expect(await refusedFor(await signIn())).toBe('role')
    expect(await works(token)).toBe(401)
  })

  it('lets nobody in whom an admin has disabled, and gives nobody a password beside', async () => {
    provider.claims = { ...honest, sub: 'u-2', preferred_username: 'Bo' }
    const response = await signIn()
    const password = await bench.console.app.inject({
      method: 'PUT',
      url: '/api/account/password',
      headers: { host: 'loupe.example', 'x-console': '1', cookie: cookieOf(response, '__Host-loupe_session') },
      payload: { password: 'a quiet lens on paper' },
    })
    expect(password.statusCode).toBe(409)
    const account = await get('/api/account', cookieOf(response, '__Host-loupe_session'))
    expect(JSON.parse(account.body)).toMatchObject({ has_password: false, is_external: true })
    await bench.query(`UPDATE people SET disabled_at = now() WHERE name = 'Bo'`)
    expect(await refusedFor(await signIn())).toBe('disabled')
  })

  it('numbers a name that another person has, also one whose lower case is not the same everywhere', async () => {
    for (const [sub, name] of [
      ['u-4', 'İlke'],
      ['u-5', 'İlke (2)'],
      ['u-6', 'İlke (3)'],
    ] as const) {
      provider.claims = { ...honest, sub, preferred_username: 'İlke' }
      expect(await sessionOf(await signIn())).toMatchObject({ person: { name } })
    }
  })

  it('knows people by issuer and subject: the same name and e-mail from elsewhere is another person', async () => {
    provider.claims = { ...honest, sub: 'u-3' }
    expect(await sessionOf(await signIn())).toMatchObject({ person: { name: 'Ana (2)' } })
    const second = await ScriptedOpenIdProvider.start()
    const first = provider
    await bench.restart(settings(second))
    provider = second
    try {
      expect(await sessionOf(await signIn())).toMatchObject({ person: { name: 'Ana (3)' } })
      expect(await count(`identities WHERE subject = 'u-1'`)).toBe(2)
      await second.close()
      await bench.restart()
      const begun = await get('/api/session/oidc?next=/runs')
      expect(begun.to).toBe('/sign-in?refused=unreachable&next=%2Fruns')
    } finally {
      provider = first
    }
    expect(await verifyAudit(bench.database.pool, await bench.console.vault.encryption.auditKeys())).toMatchObject({
      firstInvalidRow: null,
    })
    expect(bench.log).not.toContain(CLIENT.secret)
  })
})
