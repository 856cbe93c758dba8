import type { Pool, PoolClient } from 'pg'
import type { Env } from '../../env.ts'
import { PROXY_ISSUER } from './proxyUsers.ts'

/** Who a person is at an OpenID provider or behind a proxy. */
export interface ExternalIdentity {
  issuer: string
  subject: string
}

/** The issuers that let people in now: of the provider and the proxy that are configured. */
export function listExternalIssuers(
  env: Pick<Env, 'OIDC_ISSUER' | 'PROXY_USER_HEADER' | 'PROXY_SECRET'>,
): ReadonlySet<string> {
  const issuers = env.OIDC_ISSUER === undefined ? [] : [normalizeIssuer(env.OIDC_ISSUER)]
  return new Set(env.PROXY_USER_HEADER && env.PROXY_SECRET ? [...issuers, PROXY_ISSUER] : issuers)
}

/**
 * Whether a person without a password is still let in by what brought them, as far as a request can tell: the provider or
 * the proxy is configured, and the proxy does not name somebody else.
 * @param user whom the proxy names; null where it names nobody
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

/** Whether a person signs in at a provider or through a proxy. Such a person has no password: it would outlast those. */
export async function hasExternalIdentity(client: Pool | PoolClient, person_id: string): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM identities WHERE person_id = $1 LIMIT 1', [person_id])
  return rows.length > 0
}

/** The configured issuer and that of an ID token may differ by a slash at the end. */
const normalizeIssuer = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).href : issuer)
