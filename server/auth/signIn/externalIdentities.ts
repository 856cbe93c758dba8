import type { Pool, PoolClient } from 'pg'
import type { Env } from '../../env.ts'
import { PROXY_ISSUER } from './proxyUsers.ts'

export interface ExternalIdentity {
  issuer: string
  subject: string
}

/** The issuers currently accepted: the configured provider and proxy. */
export function listExternalIssuers(
  env: Pick<Env, 'OIDC_ISSUER' | 'PROXY_USER_HEADER' | 'PROXY_SECRET'>,
): ReadonlySet<string> {
  const issuers = env.OIDC_ISSUER === undefined ? [] : [normalizeIssuer(env.OIDC_ISSUER)]
  return new Set(env.PROXY_USER_HEADER && env.PROXY_SECRET ? [...issuers, PROXY_ISSUER] : issuers)
}

/**
 * Whether a person without a password may still sign in through an external identity, as far as a request can show: the
 * provider or the proxy is configured, and the proxy does not name another person.
 * @param user the user that the proxy names; null without one
 */
export function canStillSignIn(
  identities: readonly ExternalIdentity[],
  issuers: ReadonlySet<string>,
  user: string | null,
): boolean {
  return identities.some(
    ({ issuer, subject }) =>
      issuers.has(normalizeIssuer(issuer)) && (issuer !== PROXY_ISSUER || user === null || user === subject),
  )
}

/** A person who signs in through a provider or a proxy has no password: it would outlive that account. */
export async function hasExternalIdentity(client: Pool | PoolClient, person_id: string): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM identities WHERE person_id = $1 LIMIT 1', [person_id])
  return rows.length > 0
}

/** The configured issuer and the ID token's issuer may differ by a trailing slash. */
const normalizeIssuer = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).href : issuer)
