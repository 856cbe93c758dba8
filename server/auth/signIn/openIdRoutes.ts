import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { OIDC_SIGN_IN_PATH } from '#contract/console/access.ts'
import { setSessionCookie, toClientInfo } from '../sessionRoutes.ts'
import { sha256 } from '../sessions.ts'
import { CALLBACK_PATH, type FlowSecrets, type OpenIdProvider } from './openIdProvider.ts'
import { LAST_ADMIN_MESSAGE } from './openIdSessionCheck.ts'
import type { EndedSessions, OpenIdSessions } from './openIdSessions.ts'
import { SignInRefusedError } from './signInRefusal.ts'
import type { SignInService } from './signInService.ts'

/** How long a sign-in at the provider may take (ms). */
const FLOW_TTL_MS = 10 * 60_000
const RATE_LIMIT = { max: 30, timeWindow: '1 minute' }

interface OpenIdDeps {
  pool: Pool
  provider: OpenIdProvider
  openIdSessions: OpenIdSessions
  signIns: SignInService
  announce: (result: EndedSessions) => void
}

/**
 * Sign-in at an OpenID provider: redirect and callback. A flow is bound to the browser that started it and is used once,
 * whether it succeeds or fails. It ends on a page of the console: the requested one, or the sign-in page with the reason.
 */
export function registerOpenIdRoutes(app: FastifyInstance, deps: OpenIdDeps): void {
  const { pool, provider } = deps
  const options = { config: { permission: 'open', rateLimit: RATE_LIMIT }, errorHandler: redirectWhenBusy } as const

  app.get(OIDC_SIGN_IN_PATH, options, async (request, reply) => {
    const next = getNextPage(request)
    try {
      const { url, ...secrets } = await provider.beginSignIn()
      await insertFlow(pool, secrets, next)
      void reply.setCookie(getFlowCookieName(reply), secrets.state, {
        ...toFlowCookieOptions(reply),
        maxAge: FLOW_TTL_MS / 1000,
      })
      return await reply.redirect(url.href, 303)
    } catch (error) {
      return redirectToSignIn(request, reply, error, next)
    }
  })

  app.get(CALLBACK_PATH, options, async (request, reply) => {
    const state = request.cookies[getFlowCookieName(reply)]
    void reply.clearCookie(getFlowCookieName(reply), toFlowCookieOptions(reply))
    const flow = state === undefined ? null : await takeFlow(pool, state)
    try {
      if (state === undefined || !flow) throw new SignInRefusedError('late')
      await finishSignIn(deps, request, reply, { ...flow, state })
      return await reply.redirect(flow.next ?? '/', 303)
    } catch (error) {
      return redirectToSignIn(request, reply, error, flow?.next ?? null)
    }
  })
}

/** @throws SignInRefusedError */
async function finishSignIn(
  { provider, openIdSessions, signIns, announce }: OpenIdDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  flow: FlowSecrets,
): Promise<void> {
  const clientInfo = toClientInfo(request)
  const at = request.url.indexOf('?')
  const query = at < 0 ? '' : request.url.slice(at)
  const signIn = await provider.finishSignIn(query, flow).catch(async (error: unknown) => {
    // Requests without a pending sign-in are not recorded: they could flood the audit log.
    if (error instanceof SignInRefusedError) await signIns.recordRefusal('oidc', null, clientInfo, error.reason)
    throw error
  })
  const { identity, role } = signIn
  const result = await signIns.signInByIdentity(
    identity,
    'oidc',
    clientInfo,
    () => role,
    (client, token) => openIdSessions.insert(client, token, signIn),
  )
  announce(result)
  if (result.isLastAdmin) request.log.warn({ issuer: identity.issuer, role }, LAST_ADMIN_MESSAGE)
  if ('made' in result) return setSessionCookie(reply, result.made.token, result.made.expires_at)
  throw (result.refused === 'role' && signIn.refusal) || new SignInRefusedError(result.refused)
}

function redirectToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  next: string | null,
): FastifyReply {
  if (!(error instanceof SignInRefusedError)) throw error
  request.log.warn({ why: error.reason, ...error.detail }, 'sign-in at the provider failed')
  const query = new URLSearchParams({ refused: error.reason, ...(next ? { next } : {}) })
  return reply.redirect(`/sign-in?${query.toString()}`, 303)
}

/** A browser navigates to these URLs, so that too many requests also lead to a page. */
function redirectWhenBusy(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.statusCode !== 429) throw error
  return redirectToSignIn(request, reply, new SignInRefusedError('busy'), getNextPage(request))
}

function getNextPage(request: FastifyRequest): string | null {
  const given = (request.query as Record<string, unknown>)['next']
  return typeof given === 'string' && isLocalPath(given) ? given : null
}

/** A page of this console: browsers treat `//host` and `/\host` as URLs of another host. */
const isLocalPath = (next: string): boolean => next.length <= 2048 && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next)

const getFlowCookieName = (reply: FastifyReply): string =>
  reply.server.publicOrigin.isSecure ? '__Host-loupe_flow' : 'loupe_flow'

/** SameSite=Lax: the callback starts on the provider's page. */
const toFlowCookieOptions = (reply: FastifyReply) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: reply.server.publicOrigin.isSecure }) as const

async function insertFlow(pool: Pool, { state, nonce, verifier }: FlowSecrets, next: string | null): Promise<void> {
  const now = Date.now()
  await pool.query('DELETE FROM oidc_flows WHERE expires_at < $1', [new Date(now)])
  await pool.query('INSERT INTO oidc_flows(state, nonce, verifier, next, expires_at) VALUES ($1, $2, $3, $4, $5)', [
    sha256(state),
    nonce,
    verifier,
    next,
    new Date(now + FLOW_TTL_MS),
  ])
}

async function takeFlow(
  pool: Pool,
  state: string,
): Promise<(Omit<FlowSecrets, 'state'> & { next: string | null }) | null> {
  const { rows } = await pool.query<{ nonce: string; verifier: string; next: string | null; expires_at: Date }>(
    'DELETE FROM oidc_flows WHERE state = $1 RETURNING nonce, verifier, next, expires_at',
    [sha256(state)],
  )
  return rows[0] && rows[0].expires_at > new Date() ? rows[0] : null
}
