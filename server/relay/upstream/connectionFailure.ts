import type { Problem } from '#contract/problem.ts'
import { isCertificateError } from '../../http/certificateErrors.ts'

/**
 * Why a connection failed, as a message for people; unknown causes are only logged. Nothing was sent, so the platform
 * has done nothing.
 */
export function toUnreachableProblem(error: unknown, origin: string): Problem {
  const { code = '' } = error as { code?: string }
  const why = MESSAGE_BY_CODE[code] ?? (isCertificateError(code) ? toRefusedCertificateMessage(code) : undefined)
  if (why) return { kind: 'unreachable', message: why(origin) }
  const isTlsFailure = origin.startsWith('https:') && /^(EPROTO|ERR_SSL_)/.test(code)
  return { kind: 'unreachable', message: isTlsFailure ? toNoTlsMessage(origin) : toBrokenMessage(origin) }
}

type FailureMessage = (origin: string) => string
const toUnreachableMessage: FailureMessage = (origin) => `The platform at ${origin} cannot be reached.`
const toUnknownNameMessage: FailureMessage = (origin) =>
  `The host name of the platform at ${origin} cannot be resolved.`
const toNoTlsMessage: FailureMessage = (origin) =>
  `TLS connection to ${origin} failed: the server uses another TLS version, or none.`
const toBrokenMessage: FailureMessage = (origin) =>
  `The connection to the platform at ${origin} broke before anything was sent.`
const toRefusedCertificateMessage =
  (code: string): FailureMessage =>
  (origin) =>
    `The certificate of ${origin} is refused (${code}).`
const TRUST_ADVICE = 'To trust an authority, set NODE_EXTRA_CA_CERTS to its certificate file.'
const toUnknownAuthorityMessage: FailureMessage = (origin) =>
  `The certificate of ${origin} is signed by an authority that the console’s server does not know. ${TRUST_ADVICE}`

const MESSAGE_BY_CODE: Record<string, FailureMessage> = {
  ECONNREFUSED: (origin) => `The platform at ${origin} refuses connections. Is it running?`,
  ENOTFOUND: toUnknownNameMessage,
  EAI_AGAIN: toUnknownNameMessage,
  UND_ERR_CONNECT_TIMEOUT: toUnreachableMessage,
  ETIMEDOUT: toUnreachableMessage,
  EHOSTUNREACH: toUnreachableMessage,
  ENETUNREACH: toUnreachableMessage,
  CERT_HAS_EXPIRED: (origin) => `The certificate of ${origin} has expired.`,
  CERT_NOT_YET_VALID: (origin) => `The certificate of ${origin} is not valid yet. Is the server’s clock right?`,
  ERR_TLS_CERT_ALTNAME_INVALID: (origin) => `The certificate of ${origin} is for another name.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (origin) =>
    `The certificate of ${origin} is self-signed. To trust it, set NODE_EXTRA_CA_CERTS to its file.`,
  SELF_SIGNED_CERT_IN_CHAIN: toUnknownAuthorityMessage,
  UNABLE_TO_GET_ISSUER_CERT: toUnknownAuthorityMessage,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: toUnknownAuthorityMessage,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: toUnknownAuthorityMessage,
}
