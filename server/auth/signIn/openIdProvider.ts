import { compactVerify, createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import type { Role } from '#contract/permissions.ts'
import { type Env, isLoopback } from '../../env.ts'
import { findRole, parseClaimMap, readClaim, type RoleClaimMap } from '../../roleClaims.ts'
import type { SignInIdentity } from './provisioning.ts'
import { isKeyOutage, type RefusalDetail, SignInRefusedError, toSignInRefusal } from './signInRefusal.ts'

export const CALLBACK_PATH = '/api/session/oidc/callback'
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds: the clock tolerance, and the maximum age of a logout token. */
const PROVIDER_TIMEOUT_S = 10
const LOGOUT_CLOCK_TOLERANCE_S = 300
const MAX_LOGOUT_TOKEN_AGE_S = 600
/** Milliseconds. Metadata are read again at this age; if that fails, after the retry interval. */
const METADATA_TTL_MS = 3600_000
const METADATA_RETRY_MS = 60_000
/** Milliseconds between two reads caused by an unknown key: forged tokens must not make Loupe flood the provider. */
const MIN_KEY_READ_INTERVAL_MS = 5_000
/** A longer ID token does not fit into a URL (bytes); the provider then asks the person. */
const MAX_ID_TOKEN_HINT_BYTES = 4_096
const MAX_LOGGED_CLAIMS = 60

export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

export interface ProviderTokens {
  id_token: string
  /** Null where the provider gave none. */
  refresh_token: string | null
  /**
   * Whether the role claim came with the ID token of the sign-in only: an ID token of a refresh need not repeat
   * claims (OpenID Connect Core 12.2), so a missing one means nothing.
   */
  has_role_of_sign_in_only: boolean
}

export interface RoleDecision {
  role: Role | null
  /** False where the provider did not say. */
  isKnown: boolean
  hasClaim: boolean
  refusal: RefusalDetail
}

export interface ProviderSignIn {
  identity: SignInIdentity
  /** The provider's session; null where it names none. */
  sid: string | null
  role: Role | null
  /** Why there is no role; null with one. */
  refusal: SignInRefusedError | null
  tokens: ProviderTokens
  /** Seconds until the refresh token expires, if the provider says so. */
  refreshExpiresIn: number | null
}

/** A verified logout token; it has `sub`, `sid` or both. */
export interface LogoutToken {
  issuer: string
  sub: string | null
  sid: string | null
  jti: string
  expires_at: Date
}

/** A logout token that is not accepted; the message goes to the provider and contains nothing of the token. */
export class LogoutTokenError extends Error {}

export interface OpenIdSettings {
  issuer: string
  client_id: string
  secret: string | undefined
  scopes: string
  /** Further parameters of the authorization request. */
  parameters: string
  roles: RoleClaimMap
  origin: string
}

type TokenResponse = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>
/** The provider's response to a refresh token, not verified yet. */
export interface RefreshedSession {
  /** Null where the previous one stays valid. */
  refresh_token: string | null
  refreshExpiresIn: number | null
  response: TokenResponse
}

interface ProviderConnection {
  configuration: oidc.Configuration
  keys: ReturnType<typeof createRemoteJWKSet>
  staleAt: number
}

/** @returns null when no provider is set up */
export function openIdProviderFromEnv(env: Env): OpenIdProvider | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_ROLES, PUBLIC_URL } = env
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !PUBLIC_URL || !OIDC_ROLES) return null
  return new OpenIdProvider({
    issuer: OIDC_ISSUER,
    client_id: OIDC_CLIENT_ID,
    secret: env.OIDC_CLIENT_SECRET,
    scopes: env.OIDC_SCOPES,
    parameters: env.OIDC_PARAMETERS ?? '',
    roles: parseClaimMap(OIDC_ROLES),
    origin: new URL(PUBLIC_URL).origin,
  })
}

/**
 * An OpenID provider: authorization code with PKCE, state and nonce; the signature of every ID token and logout token is
 * checked. Every method that asks the provider throws SignInRefusedError.
 */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings
  #connection: ProviderConnection | null = null
  #reading: Promise<ProviderConnection> | null = null
  #keysReadAt = 0

  constructor(settings: OpenIdSettings) {
    this.#settings = settings
  }

  get name(): string {
    return new URL(this.#settings.issuer).host
  }

  get callbackUrl(): string {
    return this.#settings.origin + CALLBACK_PATH
  }

  /** The issuer as the provider spells it. */
  async getIssuer(): Promise<string> {
    return (await this.#connect()).configuration.serverMetadata().issuer
  }

  async beginSignIn(): Promise<FlowSecrets & { url: URL }> {
    const { scopes, parameters } = this.#settings
    const { configuration } = await this.#connect()
    const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(configuration, {
      ...Object.fromEntries(new URLSearchParams(parameters)),
      redirect_uri: this.callbackUrl,
      scope: scopes,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { ...secrets, url }
  }

  /** @param query the query string of the callback, with its question mark */
  async finishSignIn(query: string, { state, nonce, verifier }: FlowSecrets): Promise<ProviderSignIn> {
    const connection = await this.#connect()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const url = new URL(this.callbackUrl + query)
    const response = await this.#ask('token', oidc.authorizationCodeGrant(connection.configuration, url, checks))
    const idClaims = response.claims()
    if (!idClaims || response.id_token === undefined) throw new SignInRefusedError('answer', { step: 'token' })
    await this.#ask('keys', this.#verifySignature(response.id_token))
    const claims = await this.#completeClaims(connection, idClaims, response.access_token, idClaims.sub)
    const role = findRole(this.#settings.roles, claims)
    return {
      identity: { issuer: idClaims.iss, subject: idClaims.sub, name: findName(claims) ?? idClaims.sub },
      sid: typeof idClaims['sid'] === 'string' ? idClaims['sid'] : null,
      role,
      refusal: role === null ? this.#toRoleRefusal(claims) : null,
      tokens: {
        id_token: response.id_token,
        refresh_token: response.refresh_token ?? null,
        has_role_of_sign_in_only: this.#hasRole(idClaims),
      },
      refreshExpiresIn: getRefreshExpiry(response),
    }
  }

  /**
   * Renews the tokens of a session. The provider may no longer accept the old refresh token: the new one is stored
   * first, then the response is verified, which may need the provider's keys.
   * @returns null when the provider refuses it (`invalid_grant`): the session is over
   */
  async refresh(refresh_token: string): Promise<RefreshedSession | null> {
    const { configuration } = await this.#connect()
    const response = await oidc.refreshTokenGrant(configuration, refresh_token).catch((error: unknown) => {
      if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return null
      throw toSignInRefusal('token', error)
    })
    if (!response) return null
    return { response, refresh_token: response.refresh_token ?? null, refreshExpiresIn: getRefreshExpiry(response) }
  }

  /** Verifies the ID token of a renewed session. @returns false when it is somebody else's: the session is over */
  async verifyRefreshed({ response }: RefreshedSession, subject: string): Promise<boolean> {
    if (response.id_token !== undefined) await this.#ask('keys', this.#verifySignature(response.id_token))
    return (response.claims()?.sub ?? subject) === subject
  }

  /** The role that the provider gives the person of a renewed session, once that is verified. */
  async readRole(
    { response }: RefreshedSession,
    subject: string,
    { has_role_of_sign_in_only }: ProviderTokens,
  ): Promise<RoleDecision> {
    const idClaims = response.claims()
    const claims = this.#hasRole(idClaims ?? {})
      ? { ...idClaims }
      : await this.#completeClaims(await this.#connect(), idClaims ?? {}, response.access_token, subject)
    const hasClaim = this.#hasRole(claims)
    return {
      role: findRole(this.#settings.roles, claims),
      // Without an ID token, a claim that only ID tokens have is unknown; with one, a missing claim counts.
      isKnown: hasClaim || (idClaims !== undefined && !has_role_of_sign_in_only),
      hasClaim,
      refusal: this.#toRoleRefusal(claims).detail,
    }
  }

  /** The provider's sign-out URL; null where it announces none. */
  async getSignOutUrl(id_token: string | null): Promise<string | null> {
    const { configuration } = await this.#connect()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null
    const parameters = new URLSearchParams({ post_logout_redirect_uri: `${this.#settings.origin}/sign-in` })
    if (id_token !== null && id_token.length <= MAX_ID_TOKEN_HINT_BYTES) parameters.set('id_token_hint', id_token)
    return oidc.buildEndSessionUrl(configuration, parameters).href
  }

  /** @throws LogoutTokenError, or SignInRefusedError when the provider's keys cannot be read */
  async verifyLogoutToken(token: string): Promise<LogoutToken> {
    const { configuration } = await this.#connect()
    const { issuer } = configuration.serverMetadata()
    const { payload } = await this.#verify((keys) =>
      jwtVerify(token, keys, {
        issuer,
        audience: this.#settings.client_id,
        algorithms: listAlgorithms(configuration),
        clockTolerance: LOGOUT_CLOCK_TOLERANCE_S,
        maxTokenAge: MAX_LOGOUT_TOKEN_AGE_S,
        requiredClaims: ['exp', 'jti', 'events'],
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof errors.JOSEError) || isKeyOutage(error)) throw toSignInRefusal('keys', error)
      const claim =
        error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired ? error.claim : null
      throw new LogoutTokenError(claim ? `The claim ${claim} is not accepted.` : 'The signature cannot be verified.')
    })
    return toLogoutToken(payload, issuer)
  }

  #hasRole = (claims: Record<string, unknown>): boolean => readClaim(this.#settings.roles.claim, claims) !== undefined

  #toRoleRefusal(claims: Record<string, unknown>): SignInRefusedError {
    const { claim } = this.#settings.roles
    const claim_missing = !this.#hasRole(claims)
    const names = Object.keys(claims).slice(0, MAX_LOGGED_CLAIMS)
    return new SignInRefusedError(claim_missing ? 'setup' : 'role', { claim, claim_missing, claims: names })
  }

  /**
   * The claims of the ID token, with those of UserInfo where the ID token has no role or no name: OpenID Connect Core 5.4
   * puts the claims of a scope there.
   */
  async #completeClaims(
    { configuration }: ProviderConnection,
    idClaims: Record<string, unknown>,
    access_token: string,
    subject: string,
  ): Promise<Record<string, unknown>> {
    const hasRole = this.#hasRole(idClaims)
    if (hasRole && findName(idClaims) !== null) return idClaims
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return idClaims
    try {
      const userInfo = await this.#ask('userinfo', oidc.fetchUserInfo(configuration, access_token, subject))
      return { ...userInfo, ...idClaims }
    } catch (error) {
      // A missing name is no reason to refuse a sign-in, but the name is set only once: an outage must not turn it
      // into the subject.
      if (hasRole && error instanceof SignInRefusedError && error.reason !== 'unreachable') return idClaims
      throw error
    }
  }

  #ask<T>(step: Parameters<typeof toSignInRefusal>[0], answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      throw toSignInRefusal(step, error)
    })
  }

  #verifySignature(token: string): Promise<unknown> {
    return this.#verify((keys, configuration) =>
      compactVerify(token, keys, { algorithms: listAlgorithms(configuration) }),
    )
  }

  /** Verifies with the known keys, and once more with reloaded keys where the token names an unknown one. */
  async #verify<T>(
    verify: (keys: ProviderConnection['keys'], configuration: oidc.Configuration) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#connect()
    try {
      return await verify(connection.keys, connection.configuration)
    } catch (error) {
      const renewed = error instanceof errors.JWKSNoMatchingKey ? await this.#readNewKeys(connection) : null
      if (!renewed) throw error
      return verify(renewed.keys, renewed.configuration)
    }
  }

  async #readNewKeys(used: ProviderConnection): Promise<ProviderConnection | null> {
    if (this.#connection && this.#connection !== used) return this.#connection
    if (!this.#reading && Date.now() - this.#keysReadAt < MIN_KEY_READ_INTERVAL_MS) return null
    this.#keysReadAt = Date.now()
    return this.#read()
  }

  async #connect(): Promise<ProviderConnection> {
    const known = this.#connection
    if (known && Date.now() < known.staleAt) return known
    try {
      return await this.#read()
    } catch (error) {
      // Endpoints rarely change, and outages are more common: meanwhile the known ones are used.
      if (!known) throw error
      known.staleAt = Date.now() + METADATA_RETRY_MS
      return known
    }
  }

  #read(): Promise<ProviderConnection> {
    this.#reading ??= this.#ask('metadata', this.#discover()).finally(() => (this.#reading = null))
    return this.#reading
  }

  async #discover(): Promise<ProviderConnection> {
    const { issuer, client_id, secret } = this.#settings
    const isNear = issuer.startsWith('http:') && isLoopback(new URL(issuer).hostname)
    const configuration = await oidc.discovery(new URL(issuer), client_id, undefined, toClientAuth(secret), {
      timeout: PROVIDER_TIMEOUT_S,
      execute: isNear ? [oidc.allowInsecureRequests] : [],
    })
    const { jwks_uri = '' } = configuration.serverMetadata()
    if (!URL.canParse(jwks_uri) || !(isNear || jwks_uri.startsWith('https:')))
      throw new SignInRefusedError('setup', { step: 'metadata', code: 'JWKS_URI_MISSING_OR_INSECURE' })
    if (listAlgorithms(configuration).length === 0)
      throw new SignInRefusedError('setup', { step: 'metadata', code: 'NO_ASYMMETRIC_SIGNING_ALGORITHM' })
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: PROVIDER_TIMEOUT_S * 1000,
      // Unknown keys are handled by reloading the metadata.
      cooldownDuration: Infinity,
    })
    this.#connection = { configuration, keys, staleAt: Date.now() + METADATA_TTL_MS }
    return this.#connection
  }
}

function toLogoutToken({ jti, sub, sid, exp, events, nonce }: JWTPayload, issuer: string): LogoutToken {
  if (nonce !== undefined) throw new LogoutTokenError('The claim nonce is not accepted.')
  const event = events && typeof events === 'object' ? (events as Record<string, unknown>)[LOGOUT_EVENT] : undefined
  if (!event || typeof event !== 'object') throw new LogoutTokenError('The claim events names no back-channel logout.')
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenError('The claim jti is not accepted.')
  if ([sub, sid].some((one) => one !== undefined && (typeof one !== 'string' || one === '')))
    throw new LogoutTokenError('The claims sub and sid must be text.')
  if (sub === undefined && sid === undefined) throw new LogoutTokenError('One of the claims sub and sid is required.')
  return {
    issuer,
    sub: sub ?? null,
    sid: (sid as string | undefined) ?? null,
    jti,
    expires_at: new Date(((exp ?? 0) + LOGOUT_CLOCK_TOLERANCE_S) * 1000),
  }
}

/** Public-key signatures only: one that the client secret verifies proves nothing to third parties. */
const listAlgorithms = (configuration: oidc.Configuration): string[] =>
  (configuration.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256']).filter(
    (one) => one !== 'none' && !one.startsWith('HS'),
  )

const findName = (claims: Record<string, unknown>): string | null =>
  [claims['preferred_username'], claims['name'], claims['email']].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  ) ?? null

/** `refresh_expires_in` is not standard, but widespread; 0 means never. */
function getRefreshExpiry(response: TokenResponse): number | null {
  const seconds = response['refresh_expires_in']
  return typeof seconds === 'number' && seconds > 0 ? seconds : null
}

/** The client authentication that the provider supports; the default is `client_secret_basic` (RFC 8414). */
function toClientAuth(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const supportedMethods = server.token_endpoint_auth_methods_supported
    const isPost = supportedMethods !== undefined && !supportedMethods.includes('client_secret_basic')
    return (isPost ? post : basic)(server, client, body, headers)
  }
}
