import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { type Checked, checkRequest, route } from '../plugins/route.ts'
import { cookieName } from './credential.ts'
import type { UserOf } from './proxy.ts'
import type { SignedIn } from './sessions.ts'
import type { From, SignIns } from './sign-ins.ts'

const SIGN_INS_A_MINUTE = 10

export interface SessionParts {
  signIns: SignIns
  userOf: UserOf
  show: Show
  /** Ends what is open for these sessions. */
  leave: (sessions: readonly string[]) => void
}

/** What a session is told of itself. */
export type Show = (found: SignedIn) => Promise<Session>

/** Signing in and out, and who is signed in. */
export function sessionRoutes(app: FastifyInstance, { signIns, userOf, show, leave }: SessionParts): void {
  const { session, readWays, signIn, signOut } = contract.console
  app.route({
    method: session.method,
    url: session.path,
    config: { permission: session.permission, beforeAccount: true },
    handler: async (request) => show((await request.signedIn()) ?? signedOut()),
  })
  route(app, readWays, (_input, request) => signIns.ways(userOf(request.raw)))
  app.route({
    method: signIn.method,
    url: signIn.path,
    config: { permission: signIn.permission, rateLimit: { max: SIGN_INS_A_MINUTE, timeWindow: '1 minute' } },
    handler: async (request, reply) => {
      const { body } = checkRequest(signIn, request)
      const made = await by(body, request)
      setCookie(reply, made.token, made.expires_at)
      return show(made)
    },
  })
  const by = (body: Checked<typeof signIn>['body'], request: FastifyRequest) => {
    const from = fromOf(request)
    if ('proxy' in body) return signIns.byProxy(userOf(request.raw), from)
    return 'token' in body ? signIns.byToken(body.token, from) : signIns.byPassword(body, from)
  }
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

export function setCookie(reply: FastifyReply, token: string, expires: Date): void {
  void reply.setCookie(cookieName(reply.server.place), token, { ...shut(reply), expires })
}

function clearCookie(reply: FastifyReply): void {
  void reply.clearCookie(cookieName(reply.server.place), shut(reply))
}

/** No script reads the cookie, and no other site's page has it sent. */
const shut = (reply: FastifyReply) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: reply.server.place.isSecure }) as const

function signedOut(): never {
  throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
}
