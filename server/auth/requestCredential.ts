import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import type { PublicOrigin } from '../http/publicOrigin.ts'

const COOKIE_NAME = 'loupe_session'
/** The `__Host-` prefix: a browser accepts the cookie over TLS only, and from this host only. */
const SECURE_COOKIE_NAME = '__Host-loupe_session'

export type RequestCredential = { cookie: string } | { token: string }

/** The cookie's name. Over TLS no other name is accepted, since a sibling host could have set the plain one. */
export const getCookieName = ({ isSecure }: PublicOrigin): string => (isSecure ? SECURE_COOKIE_NAME : COOKIE_NAME)

export const getSessionCookie = ({ cookies, server }: FastifyRequest): string | null =>
  cookies[getCookieName(server.publicOrigin)] || null

/**
 * The only place that reads a request's credential.
 * @throws ProblemError 400 for two credentials in one request, 401 for an unknown one
 */
export function readCredential(request: FastifyRequest): RequestCredential | null {
  const cookie = getSessionCookie(request)
  const { authorization } = request.headers
  if (authorization === undefined) return cookie ? { cookie } : null
  if (cookie) throw new ProblemError({ kind: 'invalid', status: 400, message: 'The request has two credentials.' })
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization) ?? []
  if (!token) throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
  return { token }
}
