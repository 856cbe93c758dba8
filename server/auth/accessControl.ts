import fastifyCookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Pool } from 'pg'
import type { Person } from '#contract/console/access.ts'
import { ProblemError } from '#contract/problem.ts'
import { hasPermission } from '#contract/permissions.ts'
import { readCredential } from './requestCredential.ts'
import { type ExternalIdentity, canStillSignIn } from './signIn/externalIdentities.ts'
import { requireIdsInScope } from './resourceScopeGuard.ts'
import { isProxyUser, type ReadProxyUser } from './signIn/proxyUsers.ts'
import type { AccessScope } from './accessScope.ts'
import type { SessionStore, SignedIn } from './sessions.ts'
import { findByAccessToken } from './accessTokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    person: Person | null
    /** The person's access scope. */
    accessScope: AccessScope
    /** Identifies the session without exposing its token; null where nobody is signed in. */
    sessionId: string | null
    /** Checks the request's credential again, for connections that stay open longer than a request. */
    findSignedIn: () => Promise<SignedIn | null>
  }
  interface FastifyContextConfig {
    /** True for routes that a person may use before choosing a password. */
    beforeAccount?: boolean
    /** Marks a request that is served without a signed-in person; any other request needs the permission. */
    isAdmitted?: (request: FastifyRequest) => boolean
  }
}

export interface AccessDeps {
  pool: Pool
  sessions: SessionStore
  needsPassword: (found: SignedIn) => Promise<boolean>
  readProxyUser: ReadProxyUser
  /** The issuers of identities that are currently accepted. */
  issuers: ReadonlySet<string>
}

const toDeniedError = (status: number, message: string) => new ProblemError({ kind: 'denied', status, message })

/**
 * Deny by default: every route declares its permission or the server does not start, every route except the open ones needs
 * a session, and resources out of scope do not exist for the person.
 * @returns all routes, as declared
 */
export async function registerAccessControl(
  app: FastifyInstance,
  { pool, sessions, needsPassword, readProxyUser, issuers }: AccessDeps,
): Promise<RouteOptions[]> {
  await app.register(fastifyCookie)
  await app.register(rateLimit, { global: false })
  const find = async (request: FastifyRequest): Promise<SignedIn | null> => {
    const credential = readCredential(request)
    if (!credential) return null
    if ('token' in credential) {
      const isLetIn = (identities: readonly ExternalIdentity[]) =>
        canStillSignIn(identities, issuers, readProxyUser(request.raw))
      return findByAccessToken(pool, credential.token, isLetIn)
    }
    const signedIn = await sessions.find(credential.cookie)
    // A session through a proxy is valid only while the proxy names that user: the proxy may have signed them out, or
    // another user in.
    return signedIn?.method === 'proxy' && !(await isProxyUser(pool, signedIn.person.id, readProxyUser(request.raw)))
      ? null
      : signedIn
  }
  app.decorateRequest('person', null)
  app.decorateRequest('accessScope', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('findSignedIn', function (this: FastifyRequest) {
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
    const signedIn = await find(request)
    if (!signedIn) throw toDeniedError(401, 'You are not signed in.')
    if (!hasPermission(signedIn.person.role, permission))
      throw toDeniedError(403, `The role ${signedIn.person.role} does not allow this.`)
    if (!beforeAccount && (await needsPassword(signedIn))) throw toDeniedError(403, 'Choose a password first.')
    request.person = signedIn.person
    request.accessScope = signedIn.accessScope
    request.sessionId = signedIn.id
  })
  app.addHook('preHandler', (request) => requireIdsInScope(pool, request, request.accessScope))
  return routes
}
