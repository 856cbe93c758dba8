import fastifyCookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Person, Session } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { checkRequest, route } from '../plugins/route.ts'
import { mayDo } from './roles.ts'
import type { Sessions, SignedIn } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null only on routes whose permission is `open`. */
    person: Person | null
    /** Names the session without giving its token; null where nobody is signed in. */
    session: string | null
    /** Whether the session goes on, asked anew: for what stays open longer than a request. */
    isStillSignedIn: () => Promise<boolean>
  }
}

const COOKIE = 'loupe_session'
const SIGN_INS_A_MINUTE = 10

/**
 * Deny by default: every route declares its permission or the server does not start, and nobody is served without a
 * session but on routes that are open.
 */
export async function access(
  app: FastifyInstance,
  { sessions, version, onSignOut }: { sessions: Sessions; version: string; onSignOut: (session: string) => void },
): Promise<void> {
  await app.register(fastifyCookie)
  await app.register(rateLimit, { global: false })
  app.decorateRequest('person', null)
  app.decorateRequest('session', null)
  app.decorateRequest('isStillSignedIn', async function (this: FastifyRequest) {
    return (await sessions.find(this.cookies[COOKIE] ?? '')) !== null
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', (options) => void routes.push(options))
  app.addHook('onReady', async () => {
    const open = routes.find(({ config }) => !config?.permission)
    if (open) throw new Error(`The route ${String(open.method)} ${open.url} declares no permission.`)
  })
  app.addHook('onRequest', async (request) => {
    const permission = request.is404 ? 'open' : (request.routeOptions.config.permission ?? 'manage')
    if (permission === 'open') return
    const token = request.cookies[COOKIE]
    const found = token ? await sessions.find(token) : null
    if (!found) throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
    if (!mayDo(found.person.role, permission))
      throw new ProblemError({ kind: 'denied', status: 403, message: `A ${found.person.role} may not do this.` })
    request.person = found.person
    request.session = sessions.nameOf(token ?? '')
  })

  const show = ({ person, expires_at }: SignedIn): Session => ({
    person,
    expires_at: expires_at.toISOString(),
    version,
  })
  const { session, signIn, signOut } = contract.console

  route(app, session, async (_input, request) => {
    const found = await sessions.find(request.cookies[COOKIE] ?? '')
    if (!found) throw new ProblemError({ kind: 'denied', status: 401, message: 'You are not signed in.' })
    return show(found)
  })
  app.route({
    method: signIn.method,
    url: signIn.path,
    config: { permission: signIn.permission, rateLimit: { max: SIGN_INS_A_MINUTE, timeWindow: '1 minute' } },
    handler: async (request, reply) => {
      const { body } = checkRequest(signIn, request)
      const signedIn = await sessions.signIn(body.token)
      if (!signedIn)
        throw new ProblemError({
          kind: 'denied',
          status: 401,
          message: 'Token is used up or older than 30 minutes. A restart prints a new one.',
        })
      setCookie(reply, signedIn.token, signedIn.expires_at)
      return show(signedIn)
    },
  })
  route(app, signOut, async (_input, request, reply) => {
    await sessions.signOut(request.cookies[COOKIE] ?? '')
    if (request.session) onSignOut(request.session)
    void reply.clearCookie(COOKIE, { path: '/' })
    return { signed_out: true }
  })
}

function setCookie(reply: FastifyReply, token: string, expires: Date): void {
  void reply.setCookie(COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: reply.request.protocol === 'https',
    expires,
  })
}
