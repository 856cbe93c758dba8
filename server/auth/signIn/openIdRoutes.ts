import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { OIDC_SIGN_IN_PATH } from '#contract/console/access.ts'
import { CALLBACK_PATH, type OpenIdProvider, SignInRefusedError, type FlowSecrets } from './openIdProvider.ts'
import { toClientInfo, setSessionCookie } from '../sessionRoutes.ts'
import { sha256 } from '../sessions.ts'
import type { SignInService } from './signInService.ts'

/** How long a sign-in at the provider may take (ms). */
const FLOW_TTL_MS = 10 * 60_000
const RATE_LIMIT = { max: 30, timeWindow: '1 minute' }

interface OpenIdDeps {
  pool: Pool
  provider: OpenIdProvider
  signIns: SignInService
  /** Closes the connections of these sessions. */
  endConnections: (sessions: readonly string[]) => void
  /** Notifies the servers that work on these batches. */
  batchesPaused: (ids: readonly string[]) => void
}

/**
 * Sign-in at an OpenID provider: redirect and callback. A flow is bound to the browser that started it and is used once,
 * whether it succeeds or fails. It ends on a page of the console: the requested one, or the sign-in page with the reason.
 */
export function registerOpenIdRoutes(
  app: FastifyInstance,
  { pool, provider, signIns, endConnections, batchesPaused }: OpenIdDeps,
): void {
  const config = { permission: 'open', rateLimit: RATE_LIMIT } as const
  const redirectToSignIn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    next: string | null,
  ) => {
    if (!(error instanceof SignInRefusedError)) throw error
    request.log.warn(
      { why: error.reason, code: getErrorCode(error.cause) },
      'a sign-in at the provider came to nothing',
    )
    const query = new URLSearchParams({ refused: error.reason, ...(next ? { next } : {}) })
    return reply.redirect(`/sign-in?${query.toString()}`, 303)
  }

  app.get(OIDC_SIGN_IN_PATH, { config }, async (request, reply) => {
    const given = (request.query as Record<string, unknown>)['next']
    const next = typeof given === 'string' && isLocalPath(given) ? given : null
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

  app.get(CALLBACK_PATH, { config }, async (request, reply) => {
    const state = request.cookies[getFlowCookieName(reply)]
    void reply.clearCookie(getFlowCookieName(reply), toFlowCookieOptions(reply))
    const flow = state === undefined ? null : await takeFlow(pool, state)
    const clientInfo = toClientInfo(request)
    try {
      if (state === undefined || !flow) throw new SignInRefusedError('late')
      const at = request.url.indexOf('?')
      const { identity, role } = await provider.finishSignIn(at < 0 ? '' : request.url.slice(at), { ...flow, state })
      const result = await signIns.signInByIdentity(identity, 'oidc', clientInfo, () => role)
      endConnections(result.ended)
      batchesPaused(result.paused)
      if (result.isLastAdmin)
        request.log.warn(
          { issuer: identity.issuer, role },
          'the provider takes the role of the last admin away: the person stays an admin, make somebody else one',
        )
      if ('refused' in result)
        return await redirectToSignIn(request, reply, new SignInRefusedError(result.refused), flow.next)
      setSessionCookie(reply, result.made.token, result.made.expires_at)
      return await reply.redirect(flow.next ?? '/', 303)
    } catch (error) {
      // Requests without a pending sign-in are not logged: they could flood the log.
      if (flow && error instanceof SignInRefusedError)
        await signIns.recordRefusal('oidc', null, clientInfo, error.reason)
      return redirectToSignIn(request, reply, error, flow?.next ?? null)
    }
  })
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

/** A provider's error description may echo the request, so only the error code is used. */
const getErrorCode = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)
