import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { checkRequest, route } from '../plugins/route.ts'
import { COOKIE, SECURE_COOKIE } from './credential.ts'
import type { SignedIn } from './sessions.ts'
import type { From, SignIns } from './sign-ins.ts'

const SIGN_INS_A_MINUTE = 10

export interface SessionParts {
  signIns: SignIns
  show: Show
  /** Ends what is open for these sessions. */
  leave: (sessions: readonly string[]) => void
}

/** What a session is told of itself. */
export type Show = (found: SignedIn) => Promise<Session>

/** Signing in and out, and who is signed in. */
export function sessionRoutes(app: FastifyInstance, { signIns, show, leave }: SessionParts): void {
  const { session, readWays, signIn, signOut } = contract.console
  app.route({
    method: session.method,
    url: session.path,
    config: { permission: session.permission, beforeAccount: true },
    handler: async (request) => show((await request.signedIn()) ?? signedOut()),
  })
  route(app, readWays, () => signIns.ways())
  app.route({
    method: signIn.method,
    url: signIn.path,
    config: { permission: signIn.permission, rateLimit: { max: SIGN_INS_A_MINUTE, timeWindow: '1 minute' } },
    handler: async (request, reply) => {
      const { body } = checkRequest(signIn, request)
      const from = fromOf(request)
      const made = 'token' in body ? await signIns.byToken(body.token, from) : await signIns.byPassword(body, from)
      setCookie(reply, made.token, made.expires_at)
      return show(made)
    },
  })
  app.route({
    method: signOut.method,
    url: signOut.path,
    config: { permission: signOut.permission, beforeAccount: true },
    handler: async (request, reply) => {
      if (request.session) {
        await signIns.signOut(request.session, request.person, fromOf(request))
        leave([request.session])
      }
      clearCookie(reply)
      return { signed_out: true }
    },
  })
}

export const fromOf = (request: FastifyRequest): From => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? null,
})

const isSecure = (reply: FastifyReply): boolean => reply.request.protocol === 'https'

export function setCookie(reply: FastifyReply, token: string, expires: Date): void {
  const secure = isSecure(reply)
  void reply.setCookie(secure ? SECURE_COOKIE : COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    expires,
  })
}

function clearCookie(reply: FastifyReply): void {
  const secure = isSecure(reply)
  void reply.clearCookie(secure ? SECURE_COOKIE : COOKIE, { path: '/', httpOnly: true, sameSite: 'strict', secure })
}

function signedOut(): never {
  throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
}
