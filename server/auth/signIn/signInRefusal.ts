import * as oidc from 'openid-client'
import type { SignInErrorCode } from '#contract/console/access.ts'
import { isCertificateError } from '../../http/certificateErrors.ts'

/** The request to the provider that failed; `callback` is the redirect back from it. */
export type ProviderStep = 'metadata' | 'callback' | 'token' | 'keys' | 'userinfo'

/** Details of a refusal for the log. They contain no secret: no description, and no value of a claim. */
export interface RefusalDetail {
  step?: ProviderStep
  /** The error code of a library, or of Node for a connection that failed. */
  code?: string
  provider_error?: string
  http_status?: number
  /** The issuer of OIDC_ISSUER, and the one that the provider's metadata names. */
  issuer?: { configured: string; announced: string }
  /** The claim of OIDC_ROLES, whether the provider did not send it at all, and the names of the claims that it sent. */
  claim?: string
  claim_missing?: boolean
  claims?: string[]
}

/** Why a sign-in failed; the detail is for the log. */
export class SignInRefusedError extends Error {
  readonly reason: SignInErrorCode
  readonly detail: RefusalDetail

  constructor(reason: SignInErrorCode, detail: RefusalDetail = {}, cause?: unknown) {
    super(`sign-in at the provider: ${reason}`, { cause })
    this.reason = reason
    this.detail = detail
  }
}

/** Errors that are fixed by changing the settings of the provider or of Loupe, not by another attempt. */
const SETUP_ERRORS = new Set([
  'invalid_client',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])
const OUTAGE_ERRORS = new Set(['server_error', 'temporarily_unavailable'])
/** Timeouts, and a key set that could not be read (`jose` has no code of its own for that). */
const OUTAGE_CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'])

/** Whether an error of `jose` means that the provider's keys could not be read, not that a token is invalid. */
export const isKeyOutage = ({ code }: { code: string }): boolean => OUTAGE_CODES.has(code)

/** @param step the request in which the error occurred */
export function toSignInRefusal(step: ProviderStep, error: unknown): SignInRefusedError {
  if (error instanceof SignInRefusedError) return error
  const actualStep = error instanceof oidc.AuthorizationResponseError ? 'callback' : step
  const detail = toRefusalDetail(actualStep, error)
  return new SignInRefusedError(toReason(actualStep, error, detail), detail, error)
}

function toReason(
  step: ProviderStep,
  error: unknown,
  { code = '', provider_error = '', http_status = 0 }: RefusalDetail,
): SignInErrorCode {
  if (isConnectionFailure(error)) return isCertificateError(code) ? 'setup' : 'unreachable'
  if (OUTAGE_CODES.has(code) || OUTAGE_ERRORS.has(provider_error)) return 'unreachable'
  if (http_status >= 500 || http_status === 429) return 'unreachable'
  if (SETUP_ERRORS.has(provider_error)) return 'setup'
  if (step === 'callback') return 'cancelled'
  // UserInfo of another subject.
  if (step === 'userinfo' && code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'answer'
  // Neither depends on the person: a wrong URL, metadata of another issuer, a client or token that is not accepted.
  if (step === 'metadata' || step === 'userinfo') return 'setup'
  return error instanceof oidc.WWWAuthenticateChallengeError ? 'setup' : 'answer'
}

function toRefusalDetail(step: ProviderStep, error: unknown): RefusalDetail {
  const code = getInnermostCode(error)
  const provider_error = getProviderError(error)
  const http_status = getHttpStatus(error)
  const issuer = getOtherIssuer(error)
  return {
    step,
    ...(code === undefined ? {} : { code }),
    ...(provider_error === undefined ? {} : { provider_error }),
    ...(http_status === undefined ? {} : { http_status }),
    ...(issuer === undefined ? {} : { issuer }),
  }
}

/** `fetch` wraps the errors of Node in a TypeError. */
const isConnectionFailure = (error: unknown): boolean => error instanceof TypeError && error.cause instanceof Error

function getInnermostCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code =
    'code' in error && typeof error.code === 'string' && /^\w{1,60}$/.test(error.code) ? error.code : undefined
  return getInnermostCode(error.cause) ?? code
}

/** Only a standard code: anything else that a provider sends may echo the request. */
function getProviderError(error: unknown): string | undefined {
  const given =
    error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
      ? error.error
      : error instanceof oidc.WWWAuthenticateChallengeError
        ? error.cause.map(({ parameters }) => parameters.error).find((one) => one !== undefined)
        : undefined
  return given !== undefined && /^[a-z_]{1,40}$/.test(given) ? given : undefined
}

function getHttpStatus(error: unknown): number | undefined {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError)
    return error.status
  return error instanceof Error && error.cause instanceof Response ? error.cause.status : undefined
}

function getOtherIssuer(error: unknown): RefusalDetail['issuer'] {
  if (!(error instanceof Error)) return undefined
  const { expected, attribute, body } = (error.cause ?? {}) as {
    expected?: unknown
    attribute?: unknown
    body?: { issuer?: unknown }
  }
  const announced = body?.issuer
  if (attribute !== 'issuer' || typeof expected !== 'string' || typeof announced !== 'string') return undefined
  return { configured: expected, announced: announced.slice(0, 300) }
}
