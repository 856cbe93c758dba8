import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

export const CLIENT = { id: 'loupe-console', secret: 'a-secret-of-the-provider' }

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
type Code = { nonce: string; challenge: string; redirect: string }

/** An OpenID provider on the loopback that can misbehave on request. */
export class ScriptedOpenIdProvider {
  url = ''
  /** The person who signs in there. */
  claims: JWTPayload = { sub: 'u-1', email: 'ana@example.org', preferred_username: 'Ana', groups: ['loupe'] }
  /** What UserInfo answers, from the next read of the metadata on; null without it. */
  userInfo: JWTPayload | null = null
  /** The path before the address of the sign-in page in the metadata. */
  endpoints = ''
  /** The algorithms of signatures that the metadata announce. */
  algorithms = ['RS256']
  /** Whether every request is answered with 503. */
  isDown = false
  /** What the ID token of a refresh says beside `sub`; null: refresh tokens are not given. */
  refreshedClaims: JWTPayload | null = null
  /** Overrides claims of the ID token. */
  deviation: JWTPayload = {}
  /** The signing key of the ID token; `stranger` is a key that the provider does not publish. */
  signingMode: 'well' | 'none' | 'stranger' = 'well'
  /** The paths that were requested. */
  readonly requests: string[] = []
  /** Rejected token requests. */
  refused = 0
  #server!: Server
  #key!: Key
  #stranger!: Key
  #jwk: object = {}
  readonly #codes = new Map<string, Code>()
  /** The person of each refresh token; each is used once. */
  readonly #refreshTokens = new Map<string, string>()

  static async start(): Promise<ScriptedOpenIdProvider> {
    const provider = new ScriptedOpenIdProvider()
    const [ours, strange] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
    provider.#key = ours.privateKey
    provider.#stranger = strange.privateKey
    provider.#jwk = { ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    provider.#server = createServer((request, response) => void provider.#answer(request, response))
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve))
    provider.url = `http://127.0.0.1:${(provider.#server.address() as AddressInfo).port}`
    return provider
  }

  /** A token of the provider with these claims; the header may name another key or algorithm. */
  sign(payload: JWTPayload, header: { kid?: string; alg?: string } = {}): Promise<string> {
    const key = this.signingMode === 'stranger' ? this.#stranger : this.#key
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key)
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    this.requests.push(url.pathname)
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (this.isDown) return void say(503, {})
    if (url.pathname === '/.well-known/openid-configuration') return void say(200, this.#metadata())
    if (url.pathname === '/userinfo') return void say(this.userInfo ? 200 : 403, this.userInfo ?? {})
    if (url.pathname === '/jwks') return void say(200, { keys: [this.#jwk] })
    if (url.pathname === '/authorize') {
      response.writeHead(302, { location: this.#authorize(url.searchParams).href }).end()
      return
    }
    let body = ''
    for await (const part of request) body += String(part)
    const id_token = await this.#token(request, new URLSearchParams(body))
    if (id_token) {
      const { sub = '' } = decodeJwt(id_token)
      const refresh_token = this.refreshedClaims === null ? undefined : randomUUID()
      if (refresh_token !== undefined) this.#refreshTokens.set(refresh_token, sub)
      return void say(200, { access_token: randomUUID(), token_type: 'Bearer', id_token, refresh_token })
    }
    this.refused++
    say(400, { error: 'invalid_grant' })
  }

  #metadata() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}${this.endpoints}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      ...(this.userInfo ? { userinfo_endpoint: `${this.url}/userinfo` } : {}),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: this.algorithms,
    }
  }

  #authorize(asked: URLSearchParams): URL {
    const of = (name: string) => asked.get(name) ?? ''
    if (of('client_id') !== CLIENT.id || of('response_type') !== 'code' || of('code_challenge_method') !== 'S256')
      throw new Error(`not what a client asks: ${asked.toString()}`)
    const code = randomUUID()
    this.#codes.set(code, { nonce: of('nonce'), challenge: of('code_challenge'), redirect: of('redirect_uri') })
    const back = new URL(of('redirect_uri'))
    back.search = new URLSearchParams({ code, state: of('state') }).toString()
    return back
  }

  /** @returns null for a used code or refresh token, another verifier or redirect, or a client that does not authenticate */
  async #token({ headers }: IncomingMessage, body: URLSearchParams): Promise<string | null> {
    const code = this.#codes.get(body.get('code') ?? '')
    this.#codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    // As openid-client sends it: each half is form-encoded first (RFC 6749, 2.3.1).
    const secret = [CLIENT.id, CLIENT.secret].map((half) => encodeURIComponent(half).replaceAll('-', '%2D')).join(':')
    const isClient = headers.authorization === `Basic ${Buffer.from(secret).toString('base64')}`
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + 300 }
    const sub = this.#refreshTokens.get(body.get('refresh_token') ?? '')
    this.#refreshTokens.delete(body.get('refresh_token') ?? '')
    if (sub !== undefined && isClient)
      return this.sign({ iss: this.url, aud: CLIENT.id, sub, ...times, ...this.refreshedClaims })
    if (!code || !isClient || code.challenge !== challenge || code.redirect !== body.get('redirect_uri')) return null
    const payload = { iss: this.url, aud: CLIENT.id, nonce: code.nonce, ...times, ...this.claims, ...this.deviation }
    if (this.signingMode === 'none') return new UnsecuredJWT(payload).encode()
    return this.sign(payload)
  }
}
