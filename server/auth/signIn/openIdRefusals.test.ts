import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificate } from '#support/certificates.ts'
import { TestConsole } from '../../app.testing.ts'
import { parseClaimMap } from '../../roleClaims.ts'
import { CLIENT, ConsoleBrowser, CONSOLE_SETTINGS, OpenIdPeer, PUBLIC_URL } from './openIdPeer.testing.ts'
import { OpenIdProvider } from './openIdProvider.ts'
import { SignInRefusedError } from './signInRefusal.ts'

const SETTINGS = {
  client_id: CLIENT.id,
  secret: CLIENT.secret,
  scopes: 'openid',
  parameters: '',
  roles: parseClaimMap('groups:loupe=operator'),
  origin: PUBLIC_URL,
}
const findRefusal = async (issuer: string) => {
  const error = await new OpenIdProvider({ ...SETTINGS, issuer }).beginSignIn().catch((thrown: unknown) => thrown)
  return error instanceof SignInRefusedError ? { reason: error.reason, ...error.detail } : error
}

describe('what an operator set up wrong is told on the page and in the log', () => {
  let peer: OpenIdPeer
  beforeAll(async () => {
    peer = await OpenIdPeer.start()
  })
  afterAll(() => peer.close())
  const testConsole = TestConsole.forFile(undefined, () => ({ ...CONSOLE_SETTINGS, OIDC_ISSUER: peer.url }))

  /** Where the sign-in ends, and what the log says of it. */
  const signIn = async (login: string) => {
    testConsole.log = ''
    const page = await new ConsoleBrowser(testConsole).signIn(login)
    return { page, ...readLoggedRefusal() }
  }
  const readLoggedRefusal = () => {
    const line = testConsole.log.split('\n').find((one) => one.includes('sign-in at the provider failed'))
    return { logged: line === undefined ? null : (JSON.parse(line) as Record<string, unknown>) }
  }

  it('a wrong client secret', async () => {
    peer.reconfigure({ client_secret: 'another-secret-of-the-provider' })
    const { page, logged } = await signIn('alice')
    peer.reconfigure()
    expect(page).toBe('/sign-in?refused=setup&next=%2Fruns')
    expect(logged).toMatchObject({ why: 'setup', step: 'token', provider_error: 'invalid_client', http_status: 401 })
    expect(testConsole.log).not.toContain(CLIENT.secret)
  })

  it('a scope that the client may not have', async () => {
    peer.reconfigure({ scope: 'openid profile' })
    const { page, logged } = await signIn('alice')
    peer.reconfigure()
    expect(page).toBe('/sign-in?refused=setup&next=%2Fruns')
    expect(logged).toMatchObject({ why: 'setup', step: 'callback', provider_error: 'invalid_scope' })
  })

  it('a claim that the provider does not send, and one without a group of Loupe', async () => {
    peer.accounts.set('eve', { preferred_username: 'Eve' })
    const missing = await signIn('eve')
    expect(missing.page).toBe('/sign-in?refused=setup&next=%2Fruns')
    const claims = expect.arrayContaining(['sub', 'preferred_username', 'iss']) as string[]
    expect(missing.logged).toMatchObject({ why: 'setup', claim: 'groups', claim_missing: true, claims })
    peer.accounts.set('eve', { preferred_username: 'Eve', groups: ['the-name-of-another-group'] })
    const other = await signIn('eve')
    expect(other.page).toBe('/sign-in?refused=role&next=%2Fruns')
    expect(other.logged).toMatchObject({ why: 'role', claim: 'groups', claim_missing: false })
    expect(testConsole.log).not.toMatch(/the-name-of-another-group|"Eve"/)
  })

  it('a provider that is away at the callback, which is no fault of the person', async () => {
    const browser = new ConsoleBrowser(testConsole)
    const back = await browser.atProvider.signIn(await browser.begin(), 'alice')
    await peer.close()
    testConsole.log = ''
    expect(await browser.finish(back)).toBe('/sign-in?refused=unreachable&next=%2Fruns')
    await peer.listen()
    expect(readLoggedRefusal().logged).toMatchObject({ why: 'unreachable', step: 'token', code: 'ECONNREFUSED' })
    expect(await browser.signIn('alice')).toBe('/runs')
  })

  it('a person who says no at the provider, and a code of the provider that is no word', async () => {
    const browser = new ConsoleBrowser(testConsole)
    for (const [error, refused, provider_error] of [
      ['access_denied', 'cancelled', 'access_denied'],
      ['temporarily_unavailable', 'unreachable', 'temporarily_unavailable'],
      ['Secret-42 <script>', 'cancelled', undefined],
    ]) {
      const state = new URL(await browser.begin()).searchParams.get('state') ?? ''
      const back = new URL(`${PUBLIC_URL}/api/session/oidc/callback`)
      back.search = new URLSearchParams({
        error: error ?? '',
        error_description: 'Secret-42',
        state,
        iss: peer.url,
      }).toString()
      testConsole.log = ''
      expect(await browser.finish(back)).toBe(`/sign-in?refused=${refused}&next=%2Fruns`)
      expect(readLoggedRefusal().logged?.['provider_error']).toBe(provider_error)
      expect(testConsole.log).not.toContain('Secret-42')
    }
  })

  it('too many sign-ins of one address: a page, and the same at the callback', async () => {
    const browser = new ConsoleBrowser(testConsole)
    const goTo = async (path: string) => String((await browser.request('GET', path, '10.52.0.1')).headers.location)
    for (let n = 0; n < 30; n++) expect(await goTo('/api/session/oidc')).toContain('/auth?')
    expect(await goTo('/api/session/oidc?next=%2Fruns')).toBe('/sign-in?refused=busy&next=%2Fruns')
    for (let n = 0; n < 30; n++) expect(await goTo('/api/session/oidc/callback')).not.toContain('busy')
    expect(await goTo('/api/session/oidc/callback')).toBe('/sign-in?refused=busy')
  })

  it('an issuer that the provider spells otherwise, one that is none, and one that is away', async () => {
    const other = peer.url.replace('127.0.0.1', 'localhost')
    expect(await findRefusal(other)).toMatchObject({
      reason: 'setup',
      step: 'metadata',
      code: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
      issuer: { configured: `${other}/`, announced: peer.url },
    })
    expect(await findRefusal(`${peer.url}/realms/none`)).toMatchObject({ reason: 'setup', http_status: 404 })
    expect(await findRefusal('http://127.0.0.1:9')).toMatchObject({ reason: 'unreachable', step: 'metadata' })
  })
})

it('a provider with an authority of its own needs NODE_EXTRA_CA_CERTS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-provider-'))
  const authority = createCertificate({ name: 'The authority of a provider', names: [], isAuthority: true })
  const tls = createCertificate({ name: 'localhost', names: ['localhost', '127.0.0.1'], by: authority })
  const peer = await OpenIdPeer.start({ tls })
  try {
    expect(await findRefusal(peer.url)).toMatchObject({
      reason: 'setup',
      step: 'metadata',
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    })
    const file = join(folder, 'authority.pem')
    writeFileSync(file, authority.cert)
    // Authorities are read once, when a process begins.
    const program = `
      import { OpenIdProvider } from './server/auth/signIn/openIdProvider.ts'
      const settings = { ...${JSON.stringify({ ...SETTINGS, issuer: peer.url })}, roles: { claim: 'groups', roles: new Map() } }
      console.log((await new OpenIdProvider(settings).beginSignIn()).url.origin)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    })
    expect(stdout.trim()).toBe(peer.url)
  } finally {
    await peer.close()
    rmSync(folder, { recursive: true })
  }
})
