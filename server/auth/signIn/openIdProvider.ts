import * as oidc from 'openid-client'
import type { SignInErrorCode } from '#contract/console/access.ts'
import type { Role } from '#contract/permissions.ts'
import { type Env, isLoopback } from '../../env.ts'
import { type RoleClaimMap, parseClaimMap, findRole } from '../../roleClaims.ts'
import type { SignInIdentity } from './provisioning.ts'

export const CALLBACK_PATH = '/api/session/oidc/callback'
/** Timeout of a provider's response, in seconds. */
const PROVIDER_TIMEOUT_S = 10

/** The state of a sign-in flow between its start and its callback. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

/** The reason why a sign-in failed; the cause is for the log. */
export class SignInRefusedError extends Error {
  readonly reason: SignInErrorCode

  constructor(why: SignInErrorCode, cause?: unknown) {
    super(`sign-in at the provider: ${why}`, { cause })
    this.reason = why
  }
}

export interface OpenIdSettings {
  issuer: string
  client_id: string
  secret: string | undefined
  scopes: string
  roles: RoleClaimMap
  /** The console's public URL. */
  origin: string
}

/** @returns null when no provider is set up */
export function openIdProviderFromEnv(env: Env): OpenIdProvider | null {
  const roles = env.OIDC_ROLES === undefined ? null : parseClaimMap(env.OIDC_ROLES)
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID || !env.PUBLIC_URL || !roles) return null
  return new OpenIdProvider({
    issuer: env.OIDC_ISSUER,
    client_id: env.OIDC_CLIENT_ID,
    secret: env.OIDC_CLIENT_SECRET,
    scopes: env.OIDC_SCOPES,
    roles,
    origin: new URL(env.PUBLIC_URL).origin,
  })
}

/** An OpenID provider: authorization code with PKCE, state and nonce; the signature of the ID token is always checked. */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings
  #discovery: Promise<oidc.Configuration> | null = null

  constructor(settings: OpenIdSettings) {
    this.#settings = settings
  }

  /** The provider's display name. */
  get name(): string {
    return new URL(this.#settings.issuer).host
  }

  /** @throws Refused when the provider cannot be reached */
  async beginSignIn(): Promise<FlowSecrets & { url: URL }> {
    const { scopes, origin } = this.#settings
    const configuration = await this.#discover()
    const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: origin + CALLBACK_PATH,
      scope: scopes,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { ...secrets, url }
  }

  /**
   * @param query the query string of the callback, with its question mark
   * @throws Refused when the callback is invalid
   */
  async finishSignIn(
    query: string,
    { state, nonce, verifier }: FlowSecrets,
  ): Promise<{ identity: SignInIdentity; role: Role | null }> {
    const configuration = await this.#discover()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const url = new URL(this.#settings.origin + CALLBACK_PATH + query)
    const tokens = await oidc.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
      throw new SignInRefusedError(error instanceof oidc.AuthorizationResponseError ? 'cancelled' : 'answer', error)
    })
    const claims = tokens.claims()
    if (!claims) throw new SignInRefusedError('answer')
    const nameClaims = [claims['preferred_username'], claims['name'], claims['email']]
    const name = nameClaims.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? claims.sub
    return { identity: { issuer: claims.iss, subject: claims.sub, name }, role: findRole(this.#settings.roles, claims) }
  }

  /** Cached after the first success; after a failure the next sign-in tries again. */
  #discover(): Promise<oidc.Configuration> {
    const { issuer, client_id, secret } = this.#settings
    const isNear = issuer.startsWith('http:') && isLoopback(new URL(issuer).hostname)
    this.#discovery ??= oidc
      .discovery(new URL(issuer), client_id, undefined, toClientAuth(secret), {
        timeout: PROVIDER_TIMEOUT_S,
        execute: [oidc.enableNonRepudiationChecks, ...(isNear ? [oidc.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        this.#discovery = null
        throw new SignInRefusedError('unreachable', error)
      })
    return this.#discovery
  }
}

/** The client authentication that the provider supports; the default is `client_secret_basic` (RFC 8414). */
function toClientAuth(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, messageBus] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const supportedMethods = server.token_endpoint_auth_methods_supported
    const isPost = supportedMethods !== undefined && !supportedMethods.includes('client_secret_basic')
    return (isPost ? messageBus : basic)(server, client, body, headers)
  }
}
