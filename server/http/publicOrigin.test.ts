import { request as send } from 'node:http'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Session } from '#contract/console/access.ts'
import { TestConsole } from '../app.testing.ts'
import { environmentWarnings, parseEnv } from '../env.ts'
import { createPerson } from '../auth/people.testing.ts'
import { resolvePublicOrigin } from './publicOrigin.ts'

const SECRET = 'a-secret-between-proxy-and-console'
const PROXY = '127.0.0.1'
const STRANGER = '127.0.0.2'

type Headers = Record<string, string | string[]>

describe('a console behind a proxy that ends TLS', () => {
  const bench = TestConsole.forFile(undefined, {
    PUBLIC_URL: 'https://loupe.example',
    TRUSTED_PROXY: `${PROXY}, fd00::/8`,
    PROXY_USER_HEADER: 'X-Forwarded-User',
    PROXY_SECRET: SECRET,
    PROXY_ROLE: 'operator',
  })

  let client = 0
  /** A real request from an address of this machine, on behalf of another client each time. */
  const ask = (method: string, path: string, headers: Headers = {}, body?: unknown, from = PROXY) =>
    new Promise<{ status: number; headers: Record<string, unknown>; cookie: string; body: string }>(
      (resolve, reject) => {
        const options = {
          method,
          localAddress: from,
          headers: {
            host: 'loupe.example',
            'x-console': '1',
            'content-type': 'application/json',
            ...(from === PROXY ? { 'x-forwarded-for': `192.0.2.${++client}` } : {}),
            ...headers,
          },
        }
        const request = send(bench.url + path, options, (reply) => {
          let text = ''
          reply.setEncoding('utf8').on('data', (part: string) => (text += part))
          reply.on('end', () => {
            const cookie = (reply.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
            resolve({ status: reply.statusCode ?? 0, headers: reply.headers, cookie, body: text })
          })
        })
        request.on('error', reject)
        // As bytes: with a text, Node writes the headers in that text's encoding.
        request.end(body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
      },
    )
  const signIn = (name: string, headers: Headers = {}, from = PROXY) =>
    ask('POST', '/api/session', headers, { name, password: 'not the password' }, from)
  const come = (headers: Headers, from = PROXY) => ask('POST', '/api/session', headers, { proxy: true }, from)
  /** A proxy writes the name in UTF-8; Node writes a header's characters as bytes. */
  const vouched = (user: string): Headers => ({
    'x-forwarded-user': Buffer.from(user).toString('latin1'),
    'x-proxy-secret': SECRET,
  })

  it('sets its cookie for TLS and this host alone, takes no other, and sends HSTS', async () => {
    const response = await ask('POST', '/api/session', {}, { token: 'setup-token-of-the-tests' })
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-loupe_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await ask('GET', '/api/session', { cookie: response.cookie })).status).toBe(200)
    expect((await ask('GET', '/api/session', { cookie: response.cookie.replace('__Host-', '') })).status).toBe(401)
  })

  it('asks whoever opens the server’s link for a password: it is not this machine’s alone', async () => {
    const link = await bench.console.createLink()
    const { body } = await ask('POST', '/api/session', {}, { token: link })
    expect(JSON.parse(body)).toMatchObject({ needs_account: true })
  })

  it('answers for the public name and its own, and takes changes from the public page', async () => {
    for (const [host, status] of [
      ['loupe.example', 401],
      ['localhost', 401],
      ['evil.example', 421],
      ['loupe.example.evil.example', 421],
    ] as const)
      expect([host, (await ask('GET', '/api/session', { host })).status]).toEqual([host, status])
    expect((await ask('GET', '/healthz', { host: '10.0.0.7' })).status).toBe(200)
    const { begin } = await createPerson(bench, 'operator')
    const cookie = `__Host-${await begin()}`
    for (const [origin, status] of [
      ['https://loupe.example', 200],
      ['https://evil.example', 403],
      ['null', 403],
    ] as const) {
      const change = { default_user: 'me' }
      // A proxy may ask by the name that it knows the console by.
      const { status: got } = await ask('PATCH', '/api/account', { host: '127.0.0.1', cookie, origin }, change)
      expect([origin, got]).toEqual([origin, status])
    }
  })

  it('opens the line of runs for the public page alone', async () => {
    const { begin } = await createPerson(bench, 'operator')
    const open = async (origin: string) => {
      const headers = { host: 'loupe.example', cookie: `__Host-${await begin()}` }
      const socket = new WebSocket(`${bench.url.replace('http', 'ws')}/api/live`, { origin, headers })
      return new Promise<string>((resolve) => {
        socket.on('open', () => resolve('open')).on('error', (error) => resolve(error.message))
      }).finally(() => socket.terminate())
    }
    expect(await open('https://loupe.example')).toBe('open')
    expect(await open('https://evil.example')).toContain('403')
  })

  it('believes X-Forwarded-For from the proxy alone: a lock holds for the client that failed', async () => {
    for (let n = 0; n < 5; n++) await signIn('ana', { 'x-forwarded-for': '203.0.113.7' })
    expect((await signIn('ana', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(429)
    expect((await signIn('ana', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })).status).toBe(429)
    expect((await signIn('ana', { 'x-forwarded-for': '198.51.100.1' })).status).toBe(401)
    for (let n = 0; n < 5; n++) await signIn('bo', { 'x-forwarded-for': `10.${n}.0.1` }, STRANGER)
    expect((await signIn('bo', { 'x-forwarded-for': '10.9.0.1' }, STRANGER)).status).toBe(429)
    const rows = await bench.query<{ address: string }>(
      `SELECT DISTINCT address FROM audit WHERE action = 'session.refused'`,
    )
    const addresses = rows.map(({ address }) => address)
    expect(addresses).toEqual(expect.arrayContaining(['203.0.113.7', '198.51.100.1', STRANGER]))
    expect(addresses.filter((address) => address.startsWith('10.'))).toEqual([])
  })

  it('signs in whom the proxy names, and lets go of them when it names somebody else', async () => {
    expect(JSON.parse((await ask('GET', '/api/session/methods', vouched('Zoë'))).body)).toMatchObject({ proxy: 'Zoë' })
    const response = await come(vouched('Zoë'))
    expect(JSON.parse(response.body) as Session).toMatchObject({
      person: { name: 'Zoë', role: 'operator' },
      needs_account: false,
    })
    const { cookie } = response
    const status = async (headers: Headers, from = PROXY) =>
      (await ask('GET', '/api/runs', { cookie, ...headers }, undefined, from)).status
    expect(await status(vouched('Zoë'))).toBe(200)
    expect(await status({})).toBe(401)
    expect(await status(vouched('Yan'))).toBe(401)
    expect(await status(vouched('Zoë'), STRANGER)).toBe(401)
    await bench.query(`UPDATE people SET role = 'viewer' WHERE name = 'Zoë'`)
    const again = await come(vouched('Zoë'))
    expect(JSON.parse(again.body)).toMatchObject({ person: { role: 'viewer' } })
    await createPerson(bench, 'admin')
    await bench.query(`UPDATE people SET name = 'Root' WHERE name LIKE 'admin-%'`)
    expect(JSON.parse((await come(vouched('Root'))).body)).toMatchObject({
      person: { name: 'Root (2)', role: 'operator' },
    })
    await bench.query(`UPDATE people SET disabled_at = now() WHERE name = 'Root (2)'`)
    expect((await come(vouched('Root'))).status).toBe(401)
  })

  it('takes a token of somebody whom the proxy brings, and none beside another user of the proxy', async () => {
    const { cookie } = await come(vouched('Tia'))
    const given = { name: 'nightly', role: 'viewer', days: 30 }
    const late = await ask('POST', '/api/account/tokens', { cookie, ...vouched('Tia') }, { ...given, days: 31 })
    expect([late.status, late.body]).toEqual([400, expect.stringContaining('at most 30')])
    const made = await ask('POST', '/api/account/tokens', { cookie, ...vouched('Tia') }, given)
    const bearer = { authorization: `Bearer ${(JSON.parse(made.body) as { token: string }).token}` }
    const status = async (headers: Headers, from = PROXY) =>
      (await ask('GET', '/api/runs', { ...bearer, ...headers }, undefined, from)).status
    expect(await status({})).toBe(200)
    expect(await status(vouched('Tia'))).toBe(200)
    expect(await status(vouched('Yan'))).toBe(401)
    expect(await status(vouched('Yan'), STRANGER), 'a header that is not the proxy’s says nothing').toBe(200)
    const before = bench.settings
    await bench.restart({ PUBLIC_URL: 'https://loupe.example', TRUSTED_PROXY: `${PROXY}, fd00::/8` })
    expect(await status({}), 'no proxy brings anybody').toBe(401)
    await bench.restart(before)
    expect(await status({})).toBe(200)
  })

  it.each<[string, Headers, string?]>([
    ['from elsewhere', vouched('mallory'), STRANGER],
    ['from elsewhere, in the proxy’s name', { ...vouched('mallory'), 'x-forwarded-for': PROXY }, STRANGER],
    ['without the secret', { 'x-forwarded-user': 'mallory' }],
    ['with another secret', { ...vouched('mallory'), 'x-proxy-secret': `${SECRET}x` }],
    ['with two users', { 'x-forwarded-user': ['ana', 'mallory'], 'x-proxy-secret': SECRET }],
    ['with two secrets', { 'x-forwarded-user': 'mallory', 'x-proxy-secret': [SECRET, SECRET] }],
    ['with an underscore', { x_forwarded_user: 'mallory', 'x-proxy-secret': SECRET }],
    ['with the secret’s underscore', { 'x-forwarded-user': 'mallory', x_proxy_secret: SECRET }],
    ['in another header', { 'x-forwarded-email': 'mallory', 'remote-user': 'mallory', 'x-proxy-secret': SECRET }],
    ['that is empty', vouched(' ')],
  ])('drops a user %s', async (_what, headers, from) => {
    expect((await come(headers, from)).status).toBe(401)
    expect(JSON.parse((await ask('GET', '/api/session/methods', headers, undefined, from)).body)).toMatchObject({
      proxy: null,
    })
    const rows = await bench.query(`SELECT 1 FROM people WHERE name ILIKE '%mallory%'`)
    expect(rows).toEqual([])
  })
})

describe('the environment', () => {
  it('is refused with a proxy that is everybody, or a header without what proves it', () => {
    for (const TRUSTED_PROXY of [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.1,0.0.0.0/0',
      '1.2.3.4/00',
      'true',
      '*',
      'loopback',
      '10.0.0.0/33',
    ])
      expect(() => parseEnv({ TRUSTED_PROXY }), TRUSTED_PROXY).toThrow(/TRUSTED_PROXY/)
    const header = { PROXY_USER_HEADER: 'X-Forwarded-User' }
    expect(() => parseEnv({ ...header, TRUSTED_PROXY: '10.0.0.1' })).toThrow(/PROXY_SECRET/)
    expect(() => parseEnv({ ...header, PROXY_SECRET: SECRET })).toThrow(/TRUSTED_PROXY/)
    expect(() => parseEnv({ PROXY_SECRET: 'short' })).toThrow(/PROXY_SECRET/)
    expect(() => parseEnv({ PROXY_USER_HEADER: 'X_Forwarded_User' })).toThrow(/PROXY_USER_HEADER/)
    for (const PUBLIC_URL of [
      'loupe.example',
      'ftp://loupe.example',
      'https://loupe.example/console',
      'https://a:b@loupe.example',
    ])
      expect(() => parseEnv({ PUBLIC_URL }), PUBLIC_URL).toThrow(/PUBLIC_URL/)
  })

  it('is refused with a SETUP_TOKEN that can be guessed, and warned about one that is short', () => {
    expect(() => parseEnv({ SETUP_TOKEN: 'short-one' })).toThrow(/SETUP_TOKEN: must have at least 16 characters/)
    for (const SETUP_TOKEN of ['a'.repeat(64), 'abcabcabcabcabcabcabcabcabcabcabcabc', '1212121212121212'])
      expect(() => parseEnv({ SETUP_TOKEN })).toThrow(/SETUP_TOKEN: must have at least 8 different characters/)
    const short = environmentWarnings(parseEnv({ SETUP_TOKEN: 'setup-token-of-the-tests' }))
    expect(short).toEqual([expect.stringMatching(/^SETUP_TOKEN has 24 characters.*at least 32/)])
    expect(short.join()).not.toContain('setup-token-of-the-tests')
    expect(environmentWarnings(parseEnv({ SETUP_TOKEN: '0123456789abcdef'.repeat(2) }))).toEqual([])
    expect(environmentWarnings(parseEnv({}))).toEqual([])
  })

  it('says which addresses are a proxy’s', () => {
    const { isTrustedProxy } = resolvePublicOrigin(parseEnv({ TRUSTED_PROXY: '10.1.0.0/16, 192.0.2.7,fd00::/8' }))
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd00::1'])
      expect([address, isTrustedProxy(address)]).toEqual([address, true])
    for (const address of ['10.2.0.1', '192.0.2.8', 'fe80::1', '', 'unknown', undefined])
      expect([address, isTrustedProxy(address)]).toEqual([address, false])
    expect(resolvePublicOrigin(parseEnv({})).isTrustedProxy('127.0.0.1')).toBe(false)
  })

  it('is refused off the loopback without TLS in front, unless it is said in so many words', () => {
    expect(() => parseEnv({ HOST: '0.0.0.0' })).toThrow(/HOST: is not a loopback address/)
    expect(() => parseEnv({ HOST: '::', PUBLIC_URL: 'http://loupe.example' })).toThrow(/HOST/)
    expect(parseEnv({ HOST: '0.0.0.0', PUBLIC_URL: 'https://loupe.example' }).HOST).toBe('0.0.0.0')
    expect(parseEnv({ HOST: '0.0.0.0', INSECURE_HTTP: '1' }).HOST).toBe('0.0.0.0')
    expect(() => parseEnv({ HOST: '0.0.0.0', INSECURE_HTTP: 'no' })).toThrow(/INSECURE_HTTP/)
  })

  it('leaves the built-in platform on the loopback unless it is moved, and that needs TLS in front as well', () => {
    const https = { HOST: '0.0.0.0', PUBLIC_URL: 'https://loupe.example' }
    expect(parseEnv(https).PLATFORM_HOST).toBe('127.0.0.1')
    expect(() => parseEnv({ ...https, PLATFORM_HOST: '0.0.0.0' })).toThrow(/PLATFORM_HOST: is not a loopback address/)
    expect(() => parseEnv({ PLATFORM_HOST: '::', PLATFORM_PUBLIC_URL: 'http://platform.example' })).toThrow(
      /PLATFORM_HOST/,
    )
    for (const more of [{ PLATFORM_PUBLIC_URL: 'https://platform.example' }, { INSECURE_HTTP: '1' }])
      expect(parseEnv({ PLATFORM_HOST: '0.0.0.0', ...more }).PLATFORM_HOST).toBe('0.0.0.0')
    expect(() => parseEnv({ PLATFORM_PUBLIC_URL: 'https://platform.example/v1' })).toThrow(/PLATFORM_PUBLIC_URL/)
  })

  it.each([
    [{}, ['127.0.0.1', 'localhost', '[::1]'], ['192.0.2.7', 'evil.example', '']],
    [
      { HOST: '0.0.0.0', INSECURE_HTTP: '1' },
      ['localhost', '192.0.2.7', '[2001:db8::7]', hostname().toLowerCase()],
      ['evil.example', '192.0.2.7.evil.example', ''],
    ],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'https://loupe.example' },
      ['loupe.example', 'localhost'],
      ['192.0.2.7', 'evil.example', 'www.loupe.example'],
    ],
  ])('%o says for which hosts the server answers', (env: Record<string, string>, taken, foreign) => {
    const { isAllowedHost } = resolvePublicOrigin(parseEnv(env))
    for (const host of taken) expect([host, isAllowedHost(host)]).toEqual([host, true])
    for (const host of foreign) expect([host, isAllowedHost(host)]).toEqual([host, false])
  })
})
