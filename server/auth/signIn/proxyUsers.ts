import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'
import type { Env } from '../../env.ts'
import { getSingleHeader, type PublicOrigin } from '../../http/publicOrigin.ts'
import { isSameSecret } from '../../http/secretComparison.ts'

/** The issuer of people whom a proxy signs in. */
export const PROXY_ISSUER = 'proxy'
const SECRET_HEADER = 'x-proxy-secret'

/** The user that the proxy in front of the console names; null without one, or when the proxy is not trusted. */
export type ReadProxyUser = (request: IncomingMessage) => string | null

/**
 * The user header counts only when the connection comes from an address of `TRUSTED_PROXY`, carries the secret, and has each
 * of both headers exactly once. A header with another spelling (`X_Forwarded_User`) is ignored.
 */
export function createProxyUserReader(
  env: Pick<Env, 'PROXY_USER_HEADER' | 'PROXY_SECRET'>,
  { isTrustedProxy }: PublicOrigin,
): ReadProxyUser {
  const { PROXY_USER_HEADER: header, PROXY_SECRET: secret } = env
  if (header === undefined || secret === undefined) return () => null
  return (request) => {
    if (!isTrustedProxy(request.socket.remoteAddress)) return null
    const sentSecret = getSingleHeader(request, SECRET_HEADER)
    if (sentSecret === null || !isSameSecret(sentSecret, secret)) return null
    // Node reads headers as Latin-1, proxies write names in UTF-8.
    const user = Buffer.from(getSingleHeader(request, header) ?? '', 'latin1')
      .toString('utf8')
      .trim()
    return user !== '' && user.length <= 255 && !/[\p{Cc}\uFFFD]/u.test(user) ? user : null
  }
}

export async function isProxyUser(pool: Pool, person_id: string, user: string | null): Promise<boolean> {
  if (user === null) return false
  const { rows } = await pool.query('SELECT 1 FROM identities WHERE issuer = $1 AND subject = $2 AND person_id = $3', [
    PROXY_ISSUER,
    user,
    person_id,
  ])
  return rows.length > 0
}
