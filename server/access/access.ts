import fastifyCookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Pool } from 'pg'
import type { Person } from '#contract/access.ts'
import { ProblemError } from '#contract/problem.ts'
import { mayDo } from '#contract/roles.ts'
import { credentialOf } from './credential.ts'
import { type ExternalIdentity, isStillLetIn } from './external-people.ts'
import { refuseForeign } from './foreign.ts'
import { isUser, type UserOf } from './proxy.ts'
import type { Reach } from './reach.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import { findToken } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null only on routes whose permission is `open`. */
    person: Person | null
    /** What that person may see. */
    reach: Reach
    /** Names the session without giving its token; null where nobody is signed in. */
    session: string | null
    /** Who is signed in by what the request brings, asked anew: for what stays open longer than a request. */
    signedIn: () => Promise<SignedIn | null>
  }
  interface FastifyContextConfig {
    /** True for what somebody may do who has yet to choose a password. */
    beforeAccount?: boolean
    /** Says of a request that it is answered without a signed-in person; any other one needs the permission. */
    isAdmitted?: (request: FastifyRequest) => boolean
  }
}

export interface Doors {
  pool: Pool
  sessions: Sessions
  /** Whether somebody who has just come by a link has to choose a password first. */
  needsAccount: (found: SignedIn) => Promise<boolean>
  userOf: UserOf
  /** The issuers of identities that let people in now. */
  issuers: ReadonlySet<string>
}

const denied = (status: number, message: string) => new ProblemError({ kind: 'denied', status, message })

/**
 * Deny by default: every route declares its permission or the server does not start, nobody is served without a session but
 * on routes that are open, and nothing beyond the person's reach is there.
 * @returns all routes, as they are declared
 */
export async function access(
  app: FastifyInstance,
  { pool, sessions, needsAccount, userOf, issuers }: Doors,
): Promise<RouteOptions[]> {
  await app.register(fastifyCookie)
  await app.register(rateLimit, { global: false })
  const find = async (request: FastifyRequest): Promise<SignedIn | null> => {
    const credential = credentialOf(request)
    if (!credential) return null
    if ('token' in credential) {
      const isLetIn = (identities: readonly ExternalIdentity[]) =>
        isStillLetIn(identities, issuers, userOf(request.raw))
      return findToken(pool, credential.token, isLetIn)
    }
    const found = await sessions.find(credential.cookie)
    // Who came by a proxy is here as long as that proxy says so: it may have signed them out, or somebody else in.
    return found?.via === 'proxy' && !(await isUser(pool, found.person.id, userOf(request.raw))) ? null : found
  }
  app.decorateRequest('person', null)
  app.decorateRequest('reach', null)
  app.decorateRequest('session', null)
  app.decorateRequest('signedIn', function (this: FastifyRequest) {
    return find(this)
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', (options) => void routes.push(options))
  app.addHook('onReady', async () => {
    const open = routes.find(({ config }) => !config?.permission)
    if (open) throw new Error(`The route ${String(open.method)} ${open.url} declares no permission.`)
  })
  app.addHook('onRequest', async (request) => {
    const config: FastifyContextConfig = request.is404 ? { permission: 'open' } : request.routeOptions.config
    const { permission = 'manage', beforeAccount, isAdmitted } = config
    if (permission === 'open' || isAdmitted?.(request)) return
    const found = await find(request)
    if (!found) throw denied(401, 'You are not signed in.')
    if (!mayDo(found.person.role, permission)) throw denied(403, `A ${found.person.role} may not do this.`)
    if (!beforeAccount && (await needsAccount(found))) throw denied(403, 'Choose a password first.')
    request.person = found.person
    request.reach = found.reach
    request.session = found.id
  })
  app.addHook('preHandler', (request) => refuseForeign(pool, request, request.reach))
  return routes
}
