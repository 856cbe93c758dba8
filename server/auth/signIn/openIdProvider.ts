import * as oidc from 'openid-client'
import type { SignInErrorCode } from '#contract/console/access.ts'
import type { Role } from '#contract/permissions.ts'
import { type Env, isLoopback } from '../../env.ts'
import { type RoleClaimMap, parseClaimMap, findRole } from '../../roleClaims.ts'
import type { SignInIdentity } from './provisioning.ts'

export const CALLBACK_PATH = '/api/session/oidc/callback'
/** Seconds that a provider may take for an answer. */
const PROVIDER_TIMEOUT_S = 10

/** What a flow remembers from its beginning to its end. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

/** Why a sign-in came to nothing; the cause is for the log. */
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
  /** Where people find the console. */
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

  /** What people call it. */
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
   * @param query the callback's, from its question mark on
   * @throws Refused when the answer is not right
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

  /** Read once; a provider that was not there is asked again by the next sign-in. */
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

/** As the provider takes it; RFC 8414 says `client_secret_basic` where it does not say. */
function toClientAuth(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, messageBus] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const supportedMethods = server.token_endpoint_auth_methods_supported
    const isPost = supportedMethods !== undefined && !supportedMethods.includes('client_secret_basic')
    return (isPost ? messageBus : basic)(server, client, body, headers)
  }
}
