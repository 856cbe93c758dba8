import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { parseClaimMap } from '../../roleClaims.ts'
import { OpenIdProvider } from './openIdProvider.ts'
import { CLIENT, ScriptedOpenIdProvider } from './openIdProvider.testing.ts'

let peer: ScriptedOpenIdProvider
beforeAll(async () => {
  peer = await ScriptedOpenIdProvider.start()
})
afterAll(() => peer.close())
afterEach(() => {
  vi.useRealTimers()
})

const createProvider = () =>
  new OpenIdProvider({
    issuer: peer.url,
    client_id: CLIENT.id,
    secret: CLIENT.secret,
    scopes: 'openid',
    parameters: 'acr_values=2&prompt=consent',
    roles: parseClaimMap('groups:loupe-admins=admin,loupe=operator'),
    origin: 'https://loupe.example',
  })
const begin = async (provider: OpenIdProvider) => {
  const { url, ...secrets } = await provider.beginSignIn()
  const back = await fetch(url, { redirect: 'manual' })
  return { url, query: new URL(back.headers.get('location') ?? '').search, secrets }
}
const signIn = async (provider = createProvider()) => {
  const { query, secrets } = await begin(provider)
  return provider.finishSignIn(query, secrets)
}
const NAME = { preferred_username: 'Ana' }

it('claims of UserInfo fill in what the ID token lacks, and never replace what it says', async () => {
  peer.claims = { sub: 'u-1' }
  peer.userInfo = { sub: 'u-1', ...NAME, groups: ['loupe-admins'] }
  expect(await signIn()).toMatchObject({ role: 'admin', identity: { subject: 'u-1', name: 'Ana' } })
  peer.claims = { sub: 'u-1', groups: ['loupe'] }
  peer.userInfo = { sub: 'u-1', ...NAME, groups: ['loupe-admins'], iss: 'https://evil.example' }
  expect(await signIn()).toMatchObject({ role: 'operator', identity: { issuer: peer.url, name: 'Ana' } })
  peer.claims = { sub: 'u-1', ...NAME, groups: ['loupe'] }
  const asked = peer.requests.filter((path) => path === '/userinfo').length
  expect(await signIn()).toMatchObject({ role: 'operator' })
  expect(peer.requests.filter((path) => path === '/userinfo')).toHaveLength(asked)
})

it('UserInfo of another person gives nothing', async () => {
  peer.claims = { sub: 'u-1' }
  peer.userInfo = { sub: 'u-2', ...NAME, groups: ['loupe-admins'] }
  await expect(signIn()).rejects.toMatchObject({ reason: 'answer', detail: { step: 'userinfo' } })
})

it('UserInfo that refuses ends the sign-in where the role is missing; without a name the subject is taken', async () => {
  peer.userInfo = { sub: 'u-1' }
  const provider = createProvider()
  await provider.getIssuer()
  peer.userInfo = null
  peer.claims = { sub: 'u-1', groups: ['loupe'] }
  expect(await signIn(provider)).toMatchObject({ role: 'operator', identity: { name: 'u-1' } })
  peer.claims = { sub: 'u-1' }
  await expect(signIn(provider)).rejects.toMatchObject({
    reason: 'setup',
    detail: { step: 'userinfo', http_status: 403 },
  })
})

it('without UserInfo a missing claim is told, with the names of those that came and no value', async () => {
  peer.userInfo = null
  peer.claims = { sub: 'u-1', ...NAME, Groups: ['loupe-admins'] }
  const { role, refusal } = await signIn()
  expect([role, refusal?.reason]).toEqual([null, 'setup'])
  expect(refusal?.detail).toMatchObject({ claim: 'groups', claim_missing: true })
  expect(refusal?.detail.claims).toContain('Groups')
  expect(JSON.stringify(refusal?.detail)).not.toMatch(/loupe-admins|Ana|u-1/)
})

it('the parameters of the operator are sent beside those of the flow', async () => {
  const { url } = await createProvider().beginSignIn()
  const sent = Object.fromEntries(url.searchParams)
  expect(sent).toMatchObject({ acr_values: '2', prompt: 'consent', response_type: 'code', client_id: CLIENT.id })
})

it('a provider that signs with the client secret alone is not set up right', async () => {
  peer.algorithms = ['none', 'HS256']
  await expect(createProvider().beginSignIn()).rejects.toMatchObject({
    reason: 'setup',
    detail: { code: 'NO_ASYMMETRIC_SIGNING_ALGORITHM' },
  })
  peer.algorithms = ['RS256']
})

it('the metadata are read again after an hour; while they cannot be read, the known ones are used', async () => {
  peer.claims = { sub: 'u-1', ...NAME, groups: ['loupe'] }
  const provider = createProvider()
  const countReads = () => peer.requests.filter((path) => path.startsWith('/.well-known')).length
  const before = countReads()
  await provider.beginSignIn()
  await provider.beginSignIn()
  expect(countReads()).toBe(before + 1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 })
  peer.endpoints = '/moved'
  const { url } = await provider.beginSignIn()
  expect([countReads(), url.pathname]).toEqual([before + 2, '/moved/authorize'])
  vi.setSystemTime(Date.now() + 61 * 60_000)
  peer.isDown = true
  expect((await provider.beginSignIn()).url.pathname).toBe('/moved/authorize')
  peer.isDown = false
  peer.endpoints = ''
  vi.setSystemTime(Date.now() + 2 * 60_000)
  expect((await provider.beginSignIn()).url.pathname).toBe('/authorize')
})
