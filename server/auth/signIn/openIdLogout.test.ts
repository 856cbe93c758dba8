import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { CONSOLE_SETTINGS, ConsoleBrowser } from './openIdPeer.testing.ts'
import { CLIENT, ScriptedOpenIdProvider } from './openIdProvider.testing.ts'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const PATH = '/api/session/oidc/backchannel-logout'

describe('a back-channel logout', () => {
  let provider: ScriptedOpenIdProvider
  beforeAll(async () => {
    provider = await ScriptedOpenIdProvider.start()
  })
  afterAll(() => provider.close())
  const getSettings = () => ({ ...CONSOLE_SETTINGS, OIDC_CLIENT_ID: CLIENT.id, OIDC_ISSUER: provider.url })
  const testConsole = TestConsole.forFile(undefined, getSettings)
  afterEach(() => {
    provider.signingMode = 'well'
  })

  /** Signs in as somebody, in the provider's session `sid`. */
  const signIn = async (sub: string, sid?: string) => {
    provider.claims = { sub, preferred_username: sub, groups: ['loupe'], ...(sid ? { sid } : {}) }
    const browser = new ConsoleBrowser(testConsole)
    const there = await fetch(await browser.begin(), { redirect: 'manual' })
    expect(await browser.finish(new URL(there.headers.get('location') ?? ''))).toBe('/runs')
    return browser
  }
  const now = () => Math.floor(Date.now() / 1000)
  const toPayload = (given: JWTPayload): JWTPayload => ({
    iss: provider.url,
    aud: CLIENT.id,
    iat: now(),
    exp: now() + 120,
    jti: randomUUID(),
    events: EVENTS,
    ...given,
  })
  const post = async (body: string, type = 'application/x-www-form-urlencoded', address = '10.60.0.1') => {
    const response = await testConsole.console.app.inject({
      method: 'POST',
      url: PATH,
      remoteAddress: address,
      headers: { host: 'loupe.example', 'content-type': type },
      payload: body,
    })
    return { status: response.statusCode, cache: response.headers['cache-control'], body: response.body }
  }
  const toForm = async (given: JWTPayload, header: { kid?: string; alg?: string } = {}) =>
    new URLSearchParams({ logout_token: await provider.sign(toPayload(given), header) }).toString()
  const report = async (given: JWTPayload, header: { kid?: string; alg?: string } = {}) =>
    post(await toForm(given, header))
  const REFUSED = {
    status: 400,
    cache: 'no-store',
    body: expect.stringContaining('"error":"invalid_request"') as string,
  }

  it('ends the sessions of that sid, or of that person, and no other', async () => {
    const [first, second, third] = [await signIn('ana', 's-1'), await signIn('ana', 's-2'), await signIn('bo', 's-3')]
    const withoutSid = await signIn('bo')
    expect(await report({ sid: 's-1' })).toEqual({ status: 200, cache: 'no-store', body: '' })
    expect([await first.readPerson(), await first.readEndReason()]).toEqual([null, 'provider'])
    expect(await second.readPerson()).not.toBeNull()
    // Another person's session of that id, and nobody's.
    expect(await report({ sid: 's-2', sub: 'bo' })).toMatchObject({ status: 200 })
    expect(await second.readPerson()).not.toBeNull()
    expect(await withoutSid.readPerson()).toBeNull()
    expect(await third.readPerson()).not.toBeNull()
    expect(await report({ sub: 'ana' })).toMatchObject({ status: 200 })
    expect(await second.readPerson()).toBeNull()
    expect(await third.readPerson()).not.toBeNull()
    expect(await report({ sub: 'nobody' })).toMatchObject({ status: 200 })
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['an end that is past', { exp: 1_700_000_000 }],
    ['no end', { exp: undefined }],
    ['an age of an hour', { iat: 1_700_000_000 }],
    ['a time that is not yet', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['no time', { iat: undefined }],
    ['no id', { jti: undefined }],
    ['no event', { events: {} }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['no events', { events: undefined }],
    ['a nonce, as an ID token has', { nonce: 'n' }],
    ['nobody', { sub: undefined }],
    ['an object as session', { sid: { a: 1 } as unknown as string }],
  ] as [string, JWTPayload][])('with %s ends nothing', async (_what, deviation) => {
    const browser = await signIn('cleo', 's-cleo')
    expect(await report({ sub: 'cleo', ...deviation })).toEqual(REFUSED)
    expect(await browser.readPerson()).not.toBeNull()
  })

  it('that was used before, is signed by a stranger, not signed, or is none, ends nothing', async () => {
    const browser = await signIn('dora')
    provider.signingMode = 'stranger'
    expect(await report({ sub: 'dora' })).toEqual(REFUSED)
    provider.signingMode = 'well'
    const unsigned = [{ alg: 'none' }, toPayload({ sub: 'dora' })].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const bad = [
      `logout_token=${unsigned.join('.')}.`,
      'logout_token=x',
      'logout_token=',
      '',
      'token=x',
      'logout_token=a&logout_token=b',
    ]
    for (const body of bad) expect(await post(body)).toEqual(REFUSED)
    expect(await post('{"logout_token":"x"}', 'application/json')).toEqual(REFUSED)
    expect(await post('logout_token=x', 'text/plain')).toEqual(REFUSED)
    expect(await post(`logout_token=${'x'.repeat(70_000)}`)).toEqual(REFUSED)
    const jti = randomUUID()
    expect(await report({ sub: 'somebody-else', jti })).toMatchObject({ status: 200 })
    expect(await report({ sub: 'dora', jti })).toEqual(REFUSED)
    expect(await browser.readPerson()).not.toBeNull()
  })

  it('of unknown keys makes the provider’s keys be read anew, but not for each', async () => {
    const countKeyReads = () => provider.requests.filter((path) => path === '/jwks').length
    const before = countKeyReads()
    for (let n = 0; n < 20; n++) expect(await report({ sub: 'ana' }, { kid: `unknown-${n}` })).toEqual(REFUSED)
    expect(countKeyReads()).toBeGreaterThan(before)
    // Once in some seconds, which a slow machine may need for them.
    expect(countKeyReads() - before).toBeLessThan(10)
  })

  it('is limited by address where it is refused, in the shape of the standard; a valid one still ends a session', async () => {
    const gus = await signIn('gus')
    const countLines = () => testConsole.log.split('logout token of the sign-in provider refused').length
    const before = countLines()
    const statuses: number[] = []
    for (let n = 0; n < 310; n++) statuses.push((await post('logout_token=x', undefined, '10.60.0.2')).status)
    expect(statuses.filter((one) => one === 400)).toHaveLength(300)
    expect(statuses.slice(300)).toEqual(Array<number>(10).fill(429))
    expect(countLines() - before).toBe(300)
    expect(await post(await toForm({ sub: 'gus' }), undefined, '10.60.0.2')).toMatchObject({ status: 200 })
    expect(await gus.readPerson()).toBeNull()
    expect(await post('', undefined, '10.60.0.2')).toMatchObject({
      status: 429,
      cache: 'no-store',
      body: expect.stringContaining('"error":"temporarily_unavailable"') as string,
    })
  })

  it('is not needed: a provider without it, UserInfo or a sign-out page works', async () => {
    const browser = await signIn('fay')
    const reply = await browser.request('DELETE', '/api/session')
    expect(reply.json()).toEqual({ signed_out: true, provider_url: null })
    expect(await browser.readPerson()).toBeNull()
    // What other POSTs need stands as it was.
    const other = await testConsole.console.app.inject({
      method: 'DELETE',
      url: '/api/session',
      headers: { host: 'loupe.example' },
    })
    expect(other.statusCode).toBe(403)
  })
})
