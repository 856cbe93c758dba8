import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'
import type { Env } from '../../env.ts'
import { getSingleHeader, type PublicOrigin } from '../../http/publicOrigin.ts'
import { isSameSecret } from '../../http/secretComparison.ts'

/** Stands for the issuer of those whom a proxy brings. */
export const PROXY_ISSUER = 'proxy'
const SECRET_HEADER = 'x-proxy-secret'

/** Whom the proxy in front of the console says that a request comes from; null when none says so, or none that is trusted. */
export type ReadProxyUser = (request: IncomingMessage) => string | null

/**
 * The header of a user counts only when the connection itself comes from an address of `TRUSTED_PROXY`, brings the secret,
 * and has each of both headers once. A header that is spelled otherwise (`X_Forwarded_User`) is not looked at.
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

/** Whether a person is the one whom the proxy names. */
export async function isProxyUser(pool: Pool, person_id: string, user: string | null): Promise<boolean> {
  if (user === null) return false
  const { rows } = await pool.query('SELECT 1 FROM identities WHERE issuer = $1 AND subject = $2 AND person_id = $3', [
    PROXY_ISSUER,
    user,
    person_id,
  ])
  return rows.length > 0
}
