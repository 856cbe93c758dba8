import * as oidc from 'openid-client'
import type { Refusal } from '#contract/access.ts'
import type { Role } from '#contract/roles.ts'
import { type Env, isLoopback } from '../env.ts'
import { type ClaimMap, readClaimMap, roleBy } from './claims.ts'
import type { Identity } from './newcomers.ts'

export const CALLBACK = '/api/session/oidc/callback'
/** Seconds that a provider may take for an answer. */
const PATIENCE = 10

/** What a flow remembers from its beginning to its end. */
export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

/** Why a sign-in came to nothing; the cause is for the log. */
export class Refused extends Error {
  readonly why: Refusal

  constructor(why: Refusal, cause?: unknown) {
    super(`sign-in at the provider: ${why}`, { cause })
    this.why = why
  }
}

export interface ProviderSettings {
  issuer: string
  client_id: string
  secret: string | undefined
  scopes: string
  roles: ClaimMap
  /** Where people find the console. */
  origin: string
}

/** @returns null when no provider is set up */
export function providerOf(env: Env): Provider | null {
  const roles = env.OIDC_ROLES === undefined ? null : readClaimMap(env.OIDC_ROLES)
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID || !env.PUBLIC_URL || !roles) return null
  return new Provider({
    issuer: env.OIDC_ISSUER,
    client_id: env.OIDC_CLIENT_ID,
    secret: env.OIDC_CLIENT_SECRET,
    scopes: env.OIDC_SCOPES,
    roles,
    origin: new URL(env.PUBLIC_URL).origin,
  })
}

/** An OpenID provider: authorization code with PKCE, state and nonce; the signature of the ID token is always checked. */
export class Provider {
  readonly #settings: ProviderSettings
  #found: Promise<oidc.Configuration> | null = null

  constructor(settings: ProviderSettings) {
    this.#settings = settings
  }

  /** What people call it. */
  get name(): string {
    return new URL(this.#settings.issuer).host
  }

  /** @throws Refused when the provider cannot be reached */
  async begin(): Promise<Secrets & { url: URL }> {
    const { scopes, origin } = this.#settings
    const configuration = await this.#discover()
    const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: origin + CALLBACK,
      scope: scopes,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { ...secrets, url }
  }

  /**
   * @param query the callback's, from its question mark on
   * @throws Refused when the answer is not right
   */
  async finish(query: string, { state, nonce, verifier }: Secrets): Promise<{ identity: Identity; role: Role | null }> {
    const configuration = await this.#discover()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const url = new URL(this.#settings.origin + CALLBACK + query)
    const tokens = await oidc.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
      throw new Refused(error instanceof oidc.AuthorizationResponseError ? 'cancelled' : 'answer', error)
    })
    const claims = tokens.claims()
    if (!claims) throw new Refused('answer')
    const called = [claims['preferred_username'], claims['name'], claims['email']]
    const name = called.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? claims.sub
    return { identity: { issuer: claims.iss, subject: claims.sub, name }, role: roleBy(this.#settings.roles, claims) }
  }

  /** Read once; a provider that was not there is asked again by the next sign-in. */
  #discover(): Promise<oidc.Configuration> {
    const { issuer, client_id, secret } = this.#settings
    const isNear = issuer.startsWith('http:') && isLoopback(new URL(issuer).hostname)
    this.#found ??= oidc
      .discovery(new URL(issuer), client_id, undefined, authentication(secret), {
        timeout: PATIENCE,
        execute: [oidc.enableNonRepudiationChecks, ...(isNear ? [oidc.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        this.#found = null
        throw new Refused('unreachable', error)
      })
    return this.#found
  }
}

/** As the provider takes it; RFC 8414 says `client_secret_basic` where it does not say. */
function authentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported
    const isPost = taken !== undefined && !taken.includes('client_secret_basic')
    return (isPost ? post : basic)(server, client, body, headers)
  }
}
