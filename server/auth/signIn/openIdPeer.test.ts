import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { openSocketPage } from '../../runs/subscriptions/livePages.testing.ts'
import { ConsoleBrowser, CONSOLE_SETTINGS, OpenIdPeer, PUBLIC_URL } from './openIdPeer.testing.ts'

describe('people of npm’s oidc-provider', () => {
  let peer: OpenIdPeer
  beforeAll(async () => {
    peer = await OpenIdPeer.start({ configuration: { rotateRefreshToken: true } })
  })
  afterAll(() => peer.close())
  const testConsole = TestConsole.forFile(undefined, () => ({ ...CONSOLE_SETTINGS, OIDC_ISSUER: peer.url }))
  beforeAll(() => void (peer.consoleUrl = testConsole.url))

  const signIn = async (login: string) => {
    const browser = new ConsoleBrowser(testConsole)
    expect(await browser.signIn(login)).toBe('/runs')
    return browser
  }
  /** By a link, beside the provider. */
  const signInAsAdmin = async () => {
    testConsole.cookie = ''
    const response = await testConsole.fetch('POST', '/api/session', { token: 'setup-token-of-the-tests' })
    testConsole.cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    await testConsole.query<Row>(text, values)
  const readSealed = async (subject: string) =>
    (await query<{ sealed: string }>('SELECT sealed FROM oidc_sessions WHERE subject = $1', [subject])).map(
      ({ sealed }) => sealed,
    )
  const checkNow = async () => {
    await query(`UPDATE oidc_sessions SET next_check_at = now() - interval '1 second' WHERE next_check_at IS NOT NULL`)
    testConsole.console.openId?.sessionCheck.runSoon()
    await testConsole.console.openId?.sessionCheck.whenIdle()
  }
  const count = (path: string) => peer.requests.filter((one) => one === path).length

  it('are signed out at the provider, too, and asked for their password again', async () => {
    const bob = await signIn('bob')
    expect(await bob.signIn('bob')).toBe('/runs')
    expect(bob.atProvider.prompts).toEqual(['login', 'consent', 'consent'])
    const reply = await bob.request('DELETE', '/api/session')
    const { provider_url } = reply.json<{ provider_url: string }>()
    expect(provider_url.startsWith(`${peer.url}/session/end?`)).toBe(true)
    expect(await bob.readPerson()).toBeNull()
    expect((await bob.atProvider.signOut(provider_url)).href).toBe(`${PUBLIC_URL}/sign-in`)
    expect(await bob.signIn('bob')).toBe('/runs')
    expect(bob.atProvider.prompts).toEqual(['login', 'consent', 'consent', 'login', 'consent'])
    // A session that began in another way has nothing to end there.
    await signInAsAdmin()
    expect(await testConsole.json('DELETE', '/api/session')).toEqual({ signed_out: true, provider_url: null })
  })

  it('lose their sessions, connections and running batches when the provider reports a sign-out', async () => {
    const bob = await signIn('bob')
    const other = await signIn('alice')
    // A session that was idle for too long is none.
    await query(
      `INSERT INTO sessions(token, id, person_id, via, created_at, seen_at, expires_at)
       SELECT 'idle', gen_random_uuid(), id, 'link', now(), now() - interval '9 hours', now() + interval '1 day'
       FROM people WHERE name = 'Bob'`,
    )
    const headers = { host: 'loupe.example', cookie: [...bob.cookies].map((pair) => pair.join('=')).join('; ') }
    const page = await openSocketPage(testConsole.url, { ...headers, origin: PUBLIC_URL })
    const [batch] = await query<{ id: string }>(
      `INSERT INTO batches(id, kind, state, workspace_id, key_id, entry, name, settings, at_once, total, person_id,
         started_by, server_id, created_at)
       SELECT gen_random_uuid(), 'run', 'running', $1, $2, 'completion.send', 'b', '{}', 1, 1, id, id, gen_random_uuid(),
         now() FROM people WHERE name = 'Bob' RETURNING id`,
      [testConsole.workspace, testConsole.keys.completion],
    )
    const back = await bob.atProvider.signOut(
      `${peer.url}/session/end?${new URLSearchParams({ client_id: 'loupe-console', post_logout_redirect_uri: `${PUBLIC_URL}/sign-in` })}`,
    )
    expect(back.pathname).toBe('/sign-in')
    expect(peer.logoutErrors).toEqual([])
    expect(await bob.readPerson()).toBeNull()
    expect(await bob.readEndReason()).toBe('provider')
    await page.closed
    expect(await query('SELECT state, pause, problem FROM batches WHERE id = $1', [batch?.id])).toMatchObject([
      { state: 'paused', pause: 'no_access', problem: { message: 'Bob was signed out by the sign-in provider.' } },
    ])
    expect(await other.readPerson()).toMatchObject({ name: 'Alice' })
  })

  it('are asked about again with a refresh token that changes each time; a changed role ends the session', async () => {
    await query('DELETE FROM sessions')
    const alice = await signIn('alice')
    const [first] = await readSealed('alice')
    await checkNow()
    const [second] = await readSealed('alice')
    await checkNow()
    const [third] = await readSealed('alice')
    expect(new Set([first, second, third]).size).toBe(3)
    expect(await alice.readPerson()).toEqual({ name: 'Alice', role: 'admin' })
    const due = await query('SELECT 1 FROM oidc_sessions WHERE next_check_at > now() + interval $$59 minutes$$')
    expect(due).toHaveLength(1)
    // Nobody is asked about before it is due.
    const asked = count('/token')
    testConsole.console.openId?.sessionCheck.runSoon()
    await testConsole.console.openId?.sessionCheck.whenIdle()
    expect(count('/token')).toBe(asked)

    const bob = await signIn('bob')
    peer.accounts.set('bob', { preferred_username: 'Bob', groups: ['loupe-admins'] })
    await checkNow()
    expect(await bob.readPerson()).toBeNull()
    expect(await bob.readEndReason()).toBe('role')
    expect(await query(`SELECT role FROM people WHERE name = 'Bob'`)).toEqual([{ role: 'admin' }])
    expect(await bob.signIn('bob')).toBe('/runs')
    expect(await bob.readEndReason()).toBeNull()
    peer.accounts.set('bob', { preferred_username: 'Bob', groups: ['others'] })
    await checkNow()
    expect(await bob.readEndReason()).toBe('role')
    expect(await bob.signIn('bob')).toContain('refused=role')
    expect(await alice.readPerson()).toEqual({ name: 'Alice', role: 'admin' })
  })

  it('stay signed in while the provider is away or its client settings are wrong', async () => {
    const alice = await signIn('alice')
    await peer.close()
    await checkNow()
    await peer.listen()
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
    peer.reconfigure({ client_secret: 'another-secret-of-the-provider' })
    await checkNow()
    peer.reconfigure()
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
    expect(testConsole.log).toMatch(/"why":"unreachable","step":"token","code":"ECONN\w+".*renew a session/)
    expect(testConsole.log).toMatch(/"why":"setup".*"provider_error":"invalid_client".*renew a session/)
    const soon = `next_check_at BETWEEN now() + interval '4 minutes' AND now() + interval '5 minutes'`
    expect((await query(`SELECT 1 FROM oidc_sessions WHERE ${soon}`)).length).toBeGreaterThan(0)
    await checkNow()
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
  })

  it('stay signed in while the keys cannot be read: the new refresh token is not lost', async () => {
    await query('DELETE FROM sessions')
    const alice = await signIn('alice')
    const [first] = await readSealed('alice')
    // The keys that are known are too old by then.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    peer.isKeySetDown = true
    const refreshed = count('/token')
    await checkNow()
    peer.isKeySetDown = false
    expect(count('/token')).toBe(refreshed + 1)
    expect(testConsole.log).toMatch(/"why":"unreachable","step":"keys".*renew a session/)
    const [second] = await readSealed('alice')
    expect(second).not.toBe(first)
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
    await checkNow()
    vi.useRealTimers()
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
    const later = `next_check_at > now() + interval '59 minutes'`
    expect(await query(`SELECT 1 FROM oidc_sessions WHERE ${later}`)).toHaveLength(1)
  })

  it('keep a refresh token that came while the row was sealed again', async () => {
    await query('DELETE FROM sessions')
    const alice = await signIn('alice')
    const openId = testConsole.console.openId
    if (!openId) throw new Error('no provider')
    const now = new Date(Date.now() + 2 * 3600_000)
    const [due] = await openId.openIdSessions.claimDue(peer.url, now, 1)
    if (!due) throw new Error('no session is due')
    await signInAsAdmin()
    await testConsole.json('POST', '/api/vault/renew', {})
    expect(await readSealed('alice')).not.toContain(due.sealed)
    const tokens = { id_token: 'i', refresh_token: 'new', has_role_of_sign_in_only: false }
    expect(await openId.openIdSessions.storeTokens(due, tokens)).toBe(true)
    const [sealed = ''] = await readSealed('alice')
    expect(openId.openIdSessions.openTokens({ token: due.token, sealed })).toEqual(tokens)
    // Whoever claimed it earlier stores nothing.
    await openId.openIdSessions.claimDue(peer.url, new Date(now.getTime() + 3600_000), 1)
    expect(await openId.openIdSessions.storeTokens(due, tokens)).toBe(false)
    expect(await alice.readPerson()).toMatchObject({ name: 'Alice' })
  })

  it('keep their sealed tokens when the master key changes, and are out once their account is removed', async () => {
    await query('DELETE FROM sessions')
    peer.accounts.set('carol', { preferred_username: 'Carol', groups: ['loupe'] })
    peer.accounts.set('bob-2', { preferred_username: 'Bob 2', groups: ['loupe'] })
    const carol = await signIn('carol')
    const [before = ''] = await readSealed('carol')
    const bob = await signIn('bob-2')
    await query(`UPDATE oidc_sessions SET sealed = left(sealed, -8) || 'AAAAAAAA' WHERE subject = 'bob-2'`)
    await signInAsAdmin()
    await testConsole.json('POST', '/api/vault/renew', {})
    const [after = ''] = await readSealed('carol')
    expect(after.slice(0, 11)).not.toBe(before.slice(0, 11))
    // Damaged tokens stop no change of the key, and no start after one: that session is only asked about no more.
    expect(await query(`SELECT sealed, next_check_at FROM oidc_sessions WHERE subject = 'bob-2'`)).toEqual([
      { sealed: null, next_check_at: null },
    ])
    expect(testConsole.log).toContain('open envelope failed')
    expect(await bob.readPerson()).toMatchObject({ name: 'Bob 2' })
    await checkNow()
    expect(await carol.readPerson()).toMatchObject({ name: 'Carol' })
    peer.accounts.delete('carol')
    await checkNow()
    expect(await carol.readPerson()).toBeNull()
    expect(await carol.readEndReason()).toBe('provider')
    const audit = await query(`SELECT detail FROM audit WHERE action = 'session.ended' AND label = 'Carol'`)
    expect(audit).toMatchObject([{ detail: { via: 'oidc', why: 'refused' } }])
  })

  it('sign in while the master key is missing; nothing is sealed with a new one, and signing out works', async () => {
    const file = join(testConsole.folder, 'secrets', 'master.key')
    await testConsole.closeConsole()
    renameSync(file, `${file}.lost`)
    await testConsole.openConsole()
    expect(testConsole.console.vault.encryption.lockReason).toContain('master key is missing')
    await query('DELETE FROM sessions')
    const alice = await signIn('alice')
    expect(await query('SELECT sealed, next_check_at FROM oidc_sessions')).toEqual([
      { sealed: null, next_check_at: null },
    ])
    const { provider_url } = (await alice.request('DELETE', '/api/session')).json<{ provider_url: string }>()
    expect(provider_url).not.toContain('id_token_hint')
    expect((await alice.atProvider.signOut(provider_url)).pathname).toBe('/sign-in')
    expect(existsSync(file)).toBe(false)
  })

  it('never appear in the log with a token, a code or a secret', () => {
    expect(testConsole.log).toContain('sign-in at the provider failed')
    expect(testConsole.log).not.toMatch(/eyJ|secret-of-the-provider|code=|loupe-admins|"others"|"subject"/)
  })
})
