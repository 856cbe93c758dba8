import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { TestConsole } from '../app.testing.ts'
import { createPerson } from './people.testing.ts'

describe('access', () => {
  const bench = TestConsole.forFile()
  const anonymous = (method: string, path: string, headers: Record<string, string> = {}) =>
    bench.fetch(method, path, method === 'GET' ? undefined : {}, { cookie: '', ...headers })

  const newLink = async () => (await bench.console.createLink()) ?? ''

  it('takes a change only from its own page', async () => {
    const change = (headers: Record<string, string>) =>
      bench.fetch('POST', '/api/workspaces', { name: 'x', base_url: 'http://127.0.0.1:9' }, headers)
    expect((await change({ 'x-console': '' })).status).toBe(403)
    expect((await change({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await change({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect((await change({ origin: 'http://evil.example' })).status).toBe(403)
    expect((await change({ origin: 'null' })).status).toBe(403)
    expect((await change({ origin: bench.url })).status).toBe(200)
    expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('answers for no foreign host name', async () => {
    const status = await new Promise((resolve, reject) => {
      httpRequest(`${bench.url}/healthz`, { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.statusCode),
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(421)
  })

  it('signs in by a link once, and not by a wrong or an old one', async () => {
    const link = await newLink()
    const signIn = (token: string) => bench.fetch('POST', '/api/session', { token }, { cookie: '' })
    expect((await signIn(`${link}x`)).status).toBe(401)
    const first = await signIn(link)
    expect(first.status).toBe(200)
    expect(first.headers.get('set-cookie')).toMatch(/^loupe_session=[\w-]{43}; .*HttpOnly; SameSite=Strict/)
    expect((await signIn(link)).status).toBe(401)
    const old = await newLink()
    await bench.query(`UPDATE sign_in_links SET expires_at = now() - interval '1 second'`)
    expect((await signIn(old)).status).toBe(401)
    const rows = await bench.query<{ token: string }>('SELECT token FROM sessions')
    expect(rows.every(({ token }) => !bench.cookie.includes(token))).toBe(true)
  })

  it('ends a session at once', async () => {
    const response = await bench.fetch('POST', '/api/session', { token: await newLink() }, { cookie: '' })
    const cookie = getSessionCookie(response)
    expect((await bench.fetch('GET', '/api/session', undefined, { cookie })).status).toBe(200)
    expect((await bench.fetch('DELETE', '/api/session', undefined, { cookie })).status).toBe(200)
    expect((await bench.fetch('GET', '/api/session', undefined, { cookie })).status).toBe(401)
  })

  it('keeps nothing of a session that was read before its rights changed', async () => {
    const { sessions } = bench.console
    const { id, cookie } = await createPerson(bench, 'viewer')
    const token = cookie.replace('loupe_session=', '')
    const reading = sessions.find(token)
    sessions.invalidateCache()
    expect(await reading).toMatchObject({ person: { role: 'viewer' } })
    await bench.query('DELETE FROM sessions WHERE person_id = $1', [id])
    expect(await sessions.find(token)).toBeNull()
  })

  it('ends a session that was idle for eight hours or is a week old, and forgets it', async () => {
    const signedIn = async () => (await createPerson(bench, 'viewer')).cookie
    const status = async (cookie: string) => (await bench.fetch('GET', '/api/session', undefined, { cookie })).status
    const age = async (column: string, value: string) => {
      // Not asked before it is aged, since a known session is believed for two seconds.
      const cookie = await signedIn()
      await bench.query(
        `UPDATE sessions SET ${column} = ${value} WHERE created_at = (SELECT max(created_at) FROM sessions)`,
      )
      return status(cookie)
    }
    expect(await age('seen_at', `now() - interval '8 hours 1 second'`)).toBe(401)
    expect(await age('seen_at', `now() - interval '7 hours 59 minutes'`)).toBe(200)
    expect(await age('expires_at', `now() - interval '1 second'`)).toBe(401)
    await signedIn()
    const rows = await bench.query('SELECT 1 FROM sessions WHERE expires_at < now()')
    expect(rows).toEqual([])
  })

  it('adopts no cookie that was planted, and reads none that is odd', async () => {
    const planted = `loupe_session=${'A'.repeat(43)}`
    // From an address of its own, which has used up none of its attempts.
    const response = await bench.console.app.inject({
      method: 'POST',
      url: '/api/session',
      remoteAddress: '10.1.2.3',
      headers: { host: 'localhost', 'x-console': '1', cookie: planted },
      payload: { token: await newLink() },
    })
    expect(response.statusCode).toBe(200)
    expect(response.cookies[0]?.value).toMatch(/^[\w-]{43}$/)
    expect(response.cookies[0]?.value).not.toBe('A'.repeat(43))
    const odd = [planted, 'loupe_session=', 'loupe_session', 'loupe_session=%zz', `loupe_session=${'x'.repeat(8000)}`]
    for (const cookie of [...odd, `x=1; ${planted}; loupe_session=b`, '=; ;;', `other_${bench.cookie}`])
      expect((await bench.fetch('GET', '/api/session', undefined, { cookie })).status, cookie.slice(0, 40)).toBe(401)
  })

  it('sends its security headers with every reply, errors and unknown paths too', async () => {
    for (const path of ['/', '/api/session', '/api/nothing', '/healthz', '/assets/none.js', '//api/runs']) {
      const { headers } = await anonymous('GET', path)
      expect(headers.get('content-security-policy'), path).toMatch(
        /default-src 'none'.*script-src 'self';.*require-trusted-types-for 'script'/,
      )
      expect(headers.get('content-security-policy'), path).not.toContain('unsafe')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  it('tries no more than ten tokens a minute, whatever a header says of where they come from', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 14 },
        async (_, index) =>
          (await bench.fetch('POST', '/api/session', { token: 'wrong' }, { 'x-forwarded-for': `10.0.0.${index}` }))
            .status,
      ),
    )
    expect(statuses).toContain(429)
  })
})

const getSessionCookie = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
