import type { Problem } from '#contract/problem.ts'

/**
 * Why no connection came about, in words for a person; what is not known here stays in the log. Nothing was sent then, so
 * the platform has done nothing.
 */
export function unreached(error: unknown, origin: string): Problem {
  const { code = '' } = error as { code?: string }
  const why = WHY[code] ?? (/CERT|SIGNATURE|ISSUER|CRL/.test(code) ? REFUSED(code) : undefined)
  if (why) return { kind: 'unreachable', message: why(origin) }
  const speaksNoTLS = origin.startsWith('https:') && /^(EPROTO|ERR_SSL_)/.test(code)
  return { kind: 'unreachable', message: speaksNoTLS ? noTLS(origin) : broken(origin) }
}

type Why = (origin: string) => string
const silent: Why = (origin) => `The platform at ${origin} cannot be reached.`
const unnamed: Why = (origin) => `The name of the platform at ${origin} is not known.`
const noTLS: Why = (origin) =>
  `No TLS connection to ${origin} came about: another version of it, or none, is spoken there.`
const broken: Why = (origin) => `The connection to the platform at ${origin} broke before anything was sent.`
const REFUSED =
  (code: string): Why =>
  (origin) =>
    `The certificate of ${origin} is refused (${code}).`
const TRUST = 'NODE_EXTRA_CA_CERTS takes the file of an authority to trust.'
const stranger: Why = (origin) =>
  `The certificate of ${origin} is signed by an authority that the console’s server does not know. ${TRUST}`

const WHY: Record<string, Why> = {
  ECONNREFUSED: (origin) => `The platform at ${origin} refuses connections. Is it running?`,
  ENOTFOUND: unnamed,
  EAI_AGAIN: unnamed,
  UND_ERR_CONNECT_TIMEOUT: silent,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  CERT_HAS_EXPIRED: (origin) => `The certificate of ${origin} has expired.`,
  CERT_NOT_YET_VALID: (origin) => `The certificate of ${origin} is not valid yet. Is the server’s clock right?`,
  ERR_TLS_CERT_ALTNAME_INVALID: (origin) => `The certificate of ${origin} is for another name.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (origin) =>
    `The certificate of ${origin} is signed by itself. NODE_EXTRA_CA_CERTS takes its file, if it is to be trusted.`,
  SELF_SIGNED_CERT_IN_CHAIN: stranger,
  UNABLE_TO_GET_ISSUER_CERT: stranger,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: stranger,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: stranger,
}
