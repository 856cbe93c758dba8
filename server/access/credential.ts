import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import type { Place } from './place.ts'

const COOKIE = 'loupe_session'
/** A browser takes a cookie of this name over TLS alone, from this host alone. */
const SECURE_COOKIE = '__Host-loupe_session'

/** What a request brings to say who asks. */
export type Credential = { cookie: string } | { token: string }

/** The cookie's name: over TLS no other is taken, since a neighbouring host could have set the plain one. */
export const cookieName = ({ isSecure }: Place): string => (isSecure ? SECURE_COOKIE : COOKIE)

/**
 * The one place where a request is looked at for who asks.
 * @throws ProblemError 400 for two credentials in one request, 401 for one that is none of ours
 */
export function credentialOf(request: FastifyRequest): Credential | null {
  const cookie = request.cookies[cookieName(request.server.place)]
  const { authorization } = request.headers
  if (authorization === undefined) return cookie ? { cookie } : null
  if (cookie) throw new ProblemError({ kind: 'invalid', status: 400, message: 'The request has two credentials.' })
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization) ?? []
  if (!token) throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
  return { token }
}
