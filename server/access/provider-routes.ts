import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { PROVIDER_PATH } from '#contract/access.ts'
import { CALLBACK, type Provider, Refused, type Secrets } from './provider.ts'
import { fromOf, setCookie } from './session-routes.ts'
import { hash } from './sessions.ts'
import type { SignIns } from './sign-ins.ts'

/** Milliseconds that somebody may take at the provider. */
const AGE = 10 * 60_000
const A_MINUTE = { max: 30, timeWindow: '1 minute' }

interface Parts {
  pool: Pool
  provider: Provider
  signIns: SignIns
  /** Ends what is open for these sessions. */
  leave: (sessions: readonly string[]) => void
  /** Tells the servers that work on these batches. */
  batchesPaused: (ids: readonly string[]) => void
}

/**
 * Signing in at an OpenID provider: there, and back. A flow is bound to the browser that began it, is used once whatever
 * comes of it, and ends on a page of ours: the one that was wanted, or the sign-in page with the reason.
 */
export function providerRoutes(app: FastifyInstance, { pool, provider, signIns, leave, batchesPaused }: Parts): void {
  const config = { permission: 'open', rateLimit: A_MINUTE } as const
  const toSignIn = async (request: FastifyRequest, reply: FastifyReply, error: unknown, next: string | null) => {
    if (!(error instanceof Refused)) throw error
    request.log.warn({ why: error.why, code: codeOf(error.cause) }, 'a sign-in at the provider came to nothing')
    const query = new URLSearchParams({ refused: error.why, ...(next ? { next } : {}) })
    return reply.redirect(`/sign-in?${query.toString()}`, 303)
  }

  app.get(PROVIDER_PATH, { config }, async (request, reply) => {
    const given = (request.query as Record<string, unknown>)['next']
    const next = typeof given === 'string' && isOurs(given) ? given : null
    try {
      const { url, ...secrets } = await provider.begin()
      await keep(pool, secrets, next)
      void reply.setCookie(flowCookie(reply), secrets.state, { ...inFlow(reply), maxAge: AGE / 1000 })
      return await reply.redirect(url.href, 303)
    } catch (error) {
      return toSignIn(request, reply, error, next)
    }
  })

  app.get(CALLBACK, { config }, async (request, reply) => {
    const state = request.cookies[flowCookie(reply)]
    void reply.clearCookie(flowCookie(reply), inFlow(reply))
    const flow = state === undefined ? null : await take(pool, state)
    const from = fromOf(request)
    try {
      if (state === undefined || !flow) throw new Refused('late')
      const at = request.url.indexOf('?')
      const { identity, role } = await provider.finish(at < 0 ? '' : request.url.slice(at), { ...flow, state })
      const came = await signIns.byIdentity(identity, 'oidc', from, () => role)
      leave(came.ended)
      batchesPaused(came.paused)
      if (came.isLastAdmin)
        request.log.warn(
          { issuer: identity.issuer, role },
          'the provider takes the role of the last admin away: the person stays an admin, make somebody else one',
        )
      if ('refused' in came) return await toSignIn(request, reply, new Refused(came.refused), flow.next)
      setCookie(reply, came.made.token, came.made.expires_at)
      return await reply.redirect(flow.next ?? '/', 303)
    } catch (error) {
      // Whoever comes with no sign-in under way could fill the log with nothing.
      if (flow && error instanceof Refused) await signIns.refused('oidc', null, from, error.why)
      return toSignIn(request, reply, error, flow?.next ?? null)
    }
  })
}

/** A page of this console: browsers read `//host` and `/\host` as another's. */
const isOurs = (next: string): boolean => next.length <= 2048 && /^\/(?![/\\])[^\u0000-\u001f]*$/.test(next)

const flowCookie = (reply: FastifyReply): string => (reply.server.place.isSecure ? '__Host-loupe_flow' : 'loupe_flow')

/** Lax: the way back begins on the provider's page. */
const inFlow = (reply: FastifyReply) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: reply.server.place.isSecure }) as const

async function keep(pool: Pool, { state, nonce, verifier }: Secrets, next: string | null): Promise<void> {
  const now = Date.now()
  await pool.query('DELETE FROM flows WHERE expires_at < $1', [new Date(now)])
  await pool.query('INSERT INTO flows(state, nonce, verifier, next, expires_at) VALUES ($1, $2, $3, $4, $5)', [
    hash(state),
    nonce,
    verifier,
    next,
    new Date(now + AGE),
  ])
}

async function take(pool: Pool, state: string): Promise<(Omit<Secrets, 'state'> & { next: string | null }) | null> {
  const { rows } = await pool.query<{ nonce: string; verifier: string; next: string | null; expires_at: Date }>(
    'DELETE FROM flows WHERE state = $1 RETURNING nonce, verifier, next, expires_at',
    [hash(state)],
  )
  return rows[0] && rows[0].expires_at > new Date() ? rows[0] : null
}

/** A provider's words may hold what it was sent: its error's code is enough. */
const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined)
