import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LogoutTokenError, type OpenIdProvider } from './openIdProvider.ts'
import type { EndedSessions, OpenIdSessions } from './openIdSessions.ts'
import { SignInRefusedError, toSignInRefusal } from './signInRefusal.ts'

export const BACKCHANNEL_LOGOUT_PATH = '/api/session/oidc/backchannel-logout'
/**
 * Refused requests per address. Accepted ones do not count, and tokens are verified even above the limit: a provider
 * that ends many sessions sends one request for each and repeats none.
 */
const RATE_LIMIT = { max: 300, timeWindow: '1 minute' }
const MAX_BODY_BYTES = 64 * 1024
/** How long a sign-out waits for a provider whose metadata are not known (ms). */
const SIGN_OUT_TIMEOUT_MS = 3_000

interface LogoutDeps {
  provider: OpenIdProvider
  openIdSessions: OpenIdSessions
  announce: (result: EndedSessions) => void
}

/**
 * OpenID Connect Back-Channel Logout 1.0: the provider reports sessions that it ended. The request has no session and no
 * header of the console; its signed token is the proof. Errors have the standard's shape.
 */
export function registerBackchannelLogoutRoute(app: FastifyInstance, deps: LogoutDeps): void {
  app.register((scope, _options, done) => {
    const countRefusals = scope.createRateLimit(RATE_LIMIT)
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, parsed) => parsed(null, new URLSearchParams(body as string)),
    )
    scope.post(
      BACKCHANNEL_LOGOUT_PATH,
      { config: { permission: 'open', isServerRequest: true }, errorHandler: sendLogoutError },
      (request, reply) => endSessions({ ...deps, countRefusals }, request, reply),
    )
    done()
  })
}

type CountRefusals = ReturnType<FastifyInstance['createRateLimit']>

async function endSessions(
  { provider, openIdSessions, announce, countRefusals }: LogoutDeps & { countRefusals: CountRefusals },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const tokens = request.body instanceof URLSearchParams ? request.body.getAll('logout_token') : []
    const [token] = tokens
    if (token === undefined || tokens.length > 1)
      throw new LogoutTokenError('The form must have one field logout_token.')
    const result = await openIdSessions.endByLogout(await provider.verifyLogoutToken(token))
    if (!result) throw new LogoutTokenError('The token was used before.')
    announce(result)
    request.log.info({ sessions: result.ended.length }, 'the sign-in provider ended sessions')
    return reply.code(200).send()
  } catch (error) {
    const isTokenError = error instanceof LogoutTokenError
    if (!isTokenError && !(error instanceof SignInRefusedError)) throw error
    const count = await countRefusals(request)
    if (!count.isAllowed && count.isExceeded) {
      void reply.header('retry-after', count.ttlInSeconds)
      const message = `More than ${count.max} refused requests in a minute. Retry in ${count.ttlInSeconds} s.`
      return sendOAuthError(reply, 429, 'temporarily_unavailable', message)
    }
    if (isTokenError) {
      request.log.warn({ why: error.message }, 'logout token of the sign-in provider refused')
      return sendOAuthError(reply, 400, 'invalid_request', error.message)
    }
    request.log.warn({ why: error.reason, ...error.detail }, 'verify logout token failed')
    return sendOAuthError(reply, 503, 'temporarily_unavailable', 'The keys of the provider cannot be read.')
  }
}

function sendLogoutError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode = 500 } = error
  if (statusCode < 400 || statusCode >= 500) throw error
  void sendOAuthError(reply, 400, 'invalid_request', 'The body must be a form with one field logout_token.')
}

/** RFC 6749, 5.2. */
const sendOAuthError = (reply: FastifyReply, status: number, error: string, error_description: string): FastifyReply =>
  reply.code(status).send({ error, error_description })

/**
 * Where the browser of a session signs out at the provider.
 * @returns a function to call once the session has ended; null where nothing is to be done there
 */
export async function findProviderSignOut(
  { provider, openIdSessions }: Pick<LogoutDeps, 'provider' | 'openIdSessions'>,
  session_id: string,
  log: FastifyBaseLogger,
): Promise<(() => Promise<string | null>) | null> {
  const session = await openIdSessions.find(session_id)
  if (!session) return null
  const getUrl = async () =>
    (await provider.getIssuer()) === session.issuer ? provider.getSignOutUrl(session.id_token) : null
  return () =>
    Promise.race([getUrl(), wait(SIGN_OUT_TIMEOUT_MS, null, { ref: false })]).catch((error: unknown) => {
      const { reason, detail } = toSignInRefusal('metadata', error)
      log.warn({ why: reason, ...detail }, 'find sign-out page of the provider failed')
      return null
    })
}
