import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider, { type Adapter, type AdapterPayload, type ClientMetadata, type Configuration } from 'oidc-provider'
import type { Session } from '#contract/console/access.ts'
import type { TestConsole } from '../../app.testing.ts'

export const CLIENT = { id: 'loupe-console', secret: 'a-secret-of-the-provider' }
export const PUBLIC_URL = 'https://loupe.example'

/** A person at the provider. */
export interface PeerAccount {
  groups?: string[]
  preferred_username?: string
}

interface PeerOptions {
  /** A certificate and its key; without one the provider speaks http on the loopback. */
  tls?: { cert: string; key: string }
  client?: Partial<ClientMetadata>
  configuration?: Configuration
}

/**
 * npm's `oidc-provider` with its defaults: claims of a scope come from UserInfo, a refresh token needs `offline_access`
 * and a consent. Its sign-in pages are driven by `PeerBrowser`.
 */
export class OpenIdPeer {
  url = ''
  readonly accounts = new Map<string, PeerAccount>([
    ['alice', { preferred_username: 'Alice', groups: ['loupe-admins'] }],
    ['bob', { preferred_username: 'Bob', groups: ['loupe'] }],
  ])
  /** The paths that were requested. */
  readonly requests: string[] = []
  /** Where the requests to `PUBLIC_URL` go: back-channel logouts. */
  consoleUrl = ''
  /** Back-channel logouts that the console did not accept. */
  readonly logoutErrors: string[] = []
  /** Whether the key set is answered with 503. */
  isKeySetDown = false
  readonly #options: PeerOptions
  readonly #records = new Map<string, AdapterPayload>()
  #keys: JWK[] = []
  #listener: RequestListener = () => undefined
  #server = createServer()

  constructor(options: PeerOptions) {
    this.#options = options
  }

  static async start(options: PeerOptions = {}): Promise<OpenIdPeer> {
    const peer = new OpenIdPeer(options)
    const answer: RequestListener = (request, response) => {
      const { pathname } = new URL(request.url ?? '/', peer.url)
      peer.requests.push(pathname)
      if (peer.isKeySetDown && pathname === '/jwks') response.writeHead(503).end()
      else peer.#listener(request, response)
    }
    peer.#server = options.tls ? createTlsServer(options.tls, answer) : createServer(answer)
    await peer.listen()
    await peer.rotateKeys()
    return peer
  }

  /** Listens on a free port, or on the same one again. */
  async listen(): Promise<void> {
    const port = this.url === '' ? 0 : Number(new URL(this.url).port)
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    this.url = `${this.#options.tls ? 'https' : 'http'}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  /** New keys, without those before; what the provider has stored stays. */
  async rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    this.#keys = [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }]
    this.reconfigure()
  }

  /** The provider again, with changed settings of its client. */
  reconfigure(client: Partial<ClientMetadata> = {}): void {
    const provider = new Provider(this.url, this.#toConfiguration({ ...this.#options.client, ...client }))
    provider.on('backchannel.error', (_ctx, error) => void this.logoutErrors.push(error.message))
    const answer = provider.callback()
    this.#listener = (request, response) => void answer(request, response)
  }

  #toConfiguration(client: Partial<ClientMetadata>): Configuration {
    const { accounts } = this
    return {
      adapter: (model) => createAdapter(model, this.#records),
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${PUBLIC_URL}/api/session/oidc/callback`],
          post_logout_redirect_uris: [`${PUBLIC_URL}/sign-in`],
          grant_types: ['authorization_code', 'refresh_token'],
          backchannel_logout_uri: `${PUBLIC_URL}/api/session/oidc/backchannel-logout`,
          ...client,
        },
      ],
      jwks: { keys: this.#keys },
      cookies: { keys: ['a key of the tests'] },
      claims: { groups: ['groups'], profile: ['preferred_username'] },
      features: { backchannelLogout: { enabled: true } },
      // As usual; given here, so that they are not announced as missing.
      ttl: {
        AccessToken: 3600,
        Grant: 86_400,
        IdToken: 3600,
        Interaction: 3600,
        RefreshToken: 86_400,
        Session: 86_400,
      },
      findAccount: (_ctx, accountId) =>
        accounts.has(accountId)
          ? { accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }
          : undefined,
      // The provider refuses to call the loopback; here the console is there.
      fetch: (url, { method, headers, body } = {}) => {
        const { pathname, host } = new URL(String(url))
        const given = Object.fromEntries(new Headers(headers))
        return fetch(this.consoleUrl + pathname, {
          method: method ?? 'GET',
          headers: { ...given, host },
          body: body ?? null,
        })
      },
      ...this.#options.configuration,
    }
  }
}

/** The provider's store: it outlives a change of its keys and settings. */
function createAdapter(model: string, records: Map<string, AdapterPayload>): Adapter {
  const toKey = (id: string) => `${model}:${id}`
  const find = (id: string) => Promise.resolve(records.get(toKey(id)))
  const findWhere = (matches: (payload: AdapterPayload) => boolean) =>
    Promise.resolve([...records].find(([key, payload]) => key.startsWith(`${model}:`) && matches(payload))?.[1])
  return {
    find,
    findByUid: (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: (userCode) => findWhere((payload) => payload.userCode === userCode),
    upsert: (id, payload) => Promise.resolve(void records.set(toKey(id), payload)),
    destroy: (id) => Promise.resolve(void records.delete(toKey(id))),
    consume: async (id) => {
      const payload = await find(id)
      if (payload) records.set(toKey(id), { ...payload, consumed: Math.floor(Date.now() / 1000) })
    },
    revokeByGrantId: (grantId) => {
      for (const [key, payload] of records)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) records.delete(key)
      return Promise.resolve()
    },
  }
}

/** A browser at the provider: it follows redirects with its cookies, and fills in the forms of the sign-in pages. */
export class PeerBrowser {
  /** What the sign-in pages asked for: `login`, `consent`. */
  readonly prompts: string[] = []
  readonly #cookies = new Map<string, string>()

  /** @returns the address at `PUBLIC_URL` that the provider sends the browser to */
  async signIn(url: string, login: string): Promise<URL> {
    return this.#follow(url, (prompt) => ({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) }))
  }

  /** @returns the address that the browser is sent to after it confirmed the sign-out */
  async signOut(url: string): Promise<URL> {
    return this.#follow(url, () => ({ logout: 'yes' }))
  }

  async #follow(start: string, fillIn: (prompt: string) => Record<string, string>): Promise<URL> {
    let url = new URL(start)
    let form: URLSearchParams | null = null
    for (let step = 0; step < 20; step++) {
      if (url.origin === PUBLIC_URL) return url
      const response = await this.#request(url, form)
      form = null
      const location = response.headers.get('location')
      if (location) {
        url = new URL(location, url)
        continue
      }
      const page = await response.text()
      const fields = [...page.matchAll(/<input[^>]*name="(\w+)"[^>]*value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      )
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
      if (!response.ok || action === undefined)
        throw new Error(`${response.status} at ${url.href}: ${page.slice(0, 2_000)}`)
      const given = Object.fromEntries(fields) as Record<string, string>
      if (given['prompt'] !== undefined) this.prompts.push(given['prompt'])
      form = new URLSearchParams({ ...given, ...fillIn(given['prompt'] ?? '') })
      url = new URL(action, url)
    }
    throw new Error(`no way back from ${url.href}`)
  }

  async #request(url: URL, form: URLSearchParams | null): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { body: form } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
}

export const CONSOLE_SETTINGS = {
  PUBLIC_URL,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_ROLES: 'groups:loupe-admins=admin,loupe=operator',
  OIDC_SCOPES: 'openid profile groups offline_access',
  OIDC_PARAMETERS: 'prompt=consent',
}

/** A browser at a console behind `PUBLIC_URL`. */
export class ConsoleBrowser {
  readonly #testConsole: TestConsole
  readonly cookies = new Map<string, string>()
  readonly atProvider = new PeerBrowser()
  static #addresses = 0

  constructor(testConsole: TestConsole) {
    this.#testConsole = testConsole
  }

  async request(method: 'GET' | 'POST' | 'DELETE', url: string, remoteAddress?: string) {
    const response = await this.#testConsole.console.app.inject({
      method,
      url,
      // Each from an address of its own, which has used up none of its sign-ins a minute.
      remoteAddress: remoteAddress ?? `10.51.${++ConsoleBrowser.#addresses}.1`,
      headers: {
        host: new URL(PUBLIC_URL).host,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { 'x-console': '1' }),
      },
    })
    for (const { name, value } of response.cookies) this.cookies.set(name, value)
    return response
  }

  async begin(next = '/runs'): Promise<string> {
    return String((await this.request('GET', `/api/session/oidc?next=${encodeURIComponent(next)}`)).headers.location)
  }

  /** @returns the page of the console that the callback leads to */
  async finish(back: URL): Promise<string> {
    return String((await this.request('GET', back.pathname + back.search)).headers.location)
  }

  /** @returns the page of the console that the sign-in ends on */
  async signIn(login: string): Promise<string> {
    return this.finish(await this.atProvider.signIn(await this.begin(), login))
  }

  /** The name and role of the person; null when signed out. */
  async readPerson(): Promise<Pick<Session['person'], 'name' | 'role'> | null> {
    const response = await this.request('GET', '/api/session')
    if (response.statusCode !== 200) return null
    const { name, role } = response.json<Session>().person
    return { name, role }
  }

  /** Why the session of this browser ended, as the sign-in page learns it. */
  async readEndReason(): Promise<string | null> {
    return (await this.request('GET', '/api/session/methods')).json<{ ended: string | null }>().ended
  }
}
