import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '#contract/console/access.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { type CheckedRequest, checkRequest, registerEndpoint } from '../http/endpointRoute.ts'
import { getCookieName, getSessionCookie } from './requestCredential.ts'
import type { ReadProxyUser } from './signIn/proxyUsers.ts'
import type { SignedIn } from './sessions.ts'
import type { ClientInfo, SignInService } from './signIn/signInService.ts'

const MAX_SIGN_INS_PER_MINUTE = 10

export interface SessionDeps {
  signIns: SignInService
  readProxyUser: ReadProxyUser
  toSession: ToSession
  findProviderSignOut: (session_id: string, log: FastifyBaseLogger) => Promise<(() => Promise<string | null>) | null>
  endConnections: (sessions: readonly string[]) => void
}

export type ToSession = (found: SignedIn) => Promise<Session>

export function registerSessionRoutes(
  app: FastifyInstance,
  { signIns, readProxyUser, toSession, findProviderSignOut, endConnections }: SessionDeps,
): void {
  const { session, readSignInMethods, signIn, signOut } = contract.console
  app.route({
    method: session.method,
    url: session.path,
    config: { permission: session.permission, beforeAccount: true },
    handler: async (request) => toSession((await request.findSignedIn()) ?? throwSignedOut()),
  })
  registerEndpoint(app, readSignInMethods, (_input, request) =>
    signIns.listMethods(readProxyUser(request.raw), getSessionCookie(request)),
  )
  app.route({
    method: signIn.method,
    url: signIn.path,
    config: { permission: signIn.permission, rateLimit: { max: MAX_SIGN_INS_PER_MINUTE, timeWindow: '1 minute' } },
    handler: async (request, reply) => {
      const { body } = checkRequest(signIn, request)
      const newSession = await signInWith(body, request)
      setSessionCookie(reply, newSession.token, newSession.expires_at)
      return toSession(newSession)
    },
  })
  const signInWith = (body: CheckedRequest<typeof signIn>['body'], request: FastifyRequest) => {
    const clientInfo = toClientInfo(request)
    if ('proxy' in body) return signIns.signInByProxy(readProxyUser(request.raw), clientInfo)
    return 'token' in body ? signIns.signInByToken(body.token, clientInfo) : signIns.signInByPassword(body, clientInfo)
  }
  app.route({
    method: signOut.method,
    url: signOut.path,
    config: { permission: signOut.permission, beforeAccount: true },
    handler: async (request, reply) => {
      const { sessionId } = request
      const getProviderUrl = sessionId ? await findProviderSignOut(sessionId, request.log) : null
      if (sessionId) {
        await signIns.signOut(sessionId, request.person, toClientInfo(request))
        endConnections([sessionId])
      }
      clearSessionCookie(reply)
      return { signed_out: true, provider_url: (await getProviderUrl?.()) ?? null }
    },
  })
}

export const toClientInfo = (request: FastifyRequest): ClientInfo => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? null,
})

export function setSessionCookie(reply: FastifyReply, token: string, expires: Date): void {
  void reply.setCookie(getCookieName(reply.server.publicOrigin), token, { ...toCookieOptions(reply), expires })
}

function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(getCookieName(reply.server.publicOrigin), toCookieOptions(reply))
}

/** HttpOnly and SameSite: scripts cannot read the cookie, and other sites cannot send it. */
const toCookieOptions = (reply: FastifyReply) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: reply.server.publicOrigin.isSecure }) as const

function throwSignedOut(): never {
  throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
}
