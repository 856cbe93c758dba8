import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import type { PublicOrigin } from '../http/publicOrigin.ts'

const COOKIE_NAME = 'loupe_session'
/** A browser takes a cookie of this name over TLS alone, from this host alone. */
const SECURE_COOKIE_NAME = '__Host-loupe_session'

/** What a request brings to say who asks. */
export type RequestCredential = { cookie: string } | { token: string }

/** The cookie's name: over TLS no other is taken, since a neighbouring host could have set the plain one. */
export const getCookieName = ({ isSecure }: PublicOrigin): string => (isSecure ? SECURE_COOKIE_NAME : COOKIE_NAME)

/**
 * The one place where a request is looked at for who asks.
 * @throws ProblemError 400 for two credentials in one request, 401 for one that is none of ours
 */
export function readCredential(request: FastifyRequest): RequestCredential | null {
  const cookie = request.cookies[getCookieName(request.server.publicOrigin)]
  const { authorization } = request.headers
  if (authorization === undefined) return cookie ? { cookie } : null
  if (cookie) throw new ProblemError({ kind: 'invalid', status: 400, message: 'The request has two credentials.' })
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization) ?? []
  if (!token) throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
  return { token }
}
