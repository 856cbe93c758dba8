import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './bearerAuth.ts'
import { PlatformError } from './platformErrors.ts'
import type { PlatformKeys } from './platformKeys.ts'

export interface RequestGateOptions {
  keys: PlatformKeys
  version: string
  /**
   * Whether a host is allowed, spelled as in the `Host` header without the port; by default the names of the loopback.
   */
  isHost?: ((host: string) => boolean) | undefined
  /** Multiplier of the default limit of wrong keys per minute. */
  rateLimitFactor?: number | undefined
}

/** Per address. A run of the conformance suite sends 50; a request without a key is not a guess and does not count. */
export const MAX_WRONG_KEYS_PER_MINUTE = 120
const MINUTE_MS = 60_000
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/** Checks each request before its body is read: its `Host`, its key, and the number of wrong keys from its address. */
export async function registerRequestGate(
  app: FastifyInstance,
  { keys, version, isHost, rateLimitFactor = 1 }: RequestGateOptions,
): Promise<void> {
  await app.register(rateLimit, { global: false })
  const countWrongKeys = app.createRateLimit({
    max: MAX_WRONG_KEYS_PER_MINUTE * rateLimitFactor,
    timeWindow: MINUTE_MS,
  })
  const isOurs = isHost ?? ((host: string) => LOOPBACK_HOSTS.includes(host))

  const limit = async (request: FastifyRequest, reply: FastifyReply, increment: boolean) => {
    const count = await countWrongKeys(request, { increment })
    if (count.isAllowed || !count.isExceeded) return
    void reply.header('retry-after', count.ttlInSeconds)
    throw new PlatformError(
      429,
      'too_many_requests',
      `More than ${count.max} requests with a wrong access token in a minute. Retry in ${count.ttlInSeconds} s.`,
    )
  }

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-version': version, 'x-env': 'PRODUCTION', ...FIXED_HEADERS })
    requireHost(request, isOurs)
    // The console itself and local scripts share the loopback address: one of them must not block the others.
    if (!isLoopback(request.ip)) await limit(request, reply, false)
    try {
      authenticate(keys, request)
    } catch (error) {
      const isGuess =
        error instanceof PlatformError && error.status === 401 && /^bearer\s/i.test(request.headers.authorization ?? '')
      if (isGuess) await limit(request, reply, true)
      throw error
    }
  })
}

/** Also for replies sent before any hook runs. */
export const FIXED_HEADERS = { 'x-content-type-options': 'nosniff' }

/**
 * DNS rebinding: another site's name can resolve to this server; foreign names are refused, and so are requests with
 * two hosts.
 */
function requireHost({ raw, headers }: FastifyRequest, isOurs: (host: string) => boolean): void {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw new PlatformError(400, 'bad_request', 'The request has more than one Host.')
  if (!isOurs((headers.host ?? '').replace(/:\d+$/, '').toLowerCase()))
    throw new PlatformError(421, 'misdirected_request', 'This server does not answer for that host name.')
}

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
