import type { RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { type Endpoint, isForm } from '#contract/endpoint.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `RATE_LIMIT_FACTOR`: so many times the usual requests a minute. */
    rateLimitFactor: number
  }
}

/** Requests of one person a minute, by what they cost. Rows of a batch are the server's own and count for nobody. */
export const RATE_LIMITS_PER_MINUTE = { read: 6_000, write: 600, run: 300, upload: 60 }

/**
 * How often a person may ask for an entry. Counted after they are known, all entries of a kind together; an address
 * that a request claims to come from changes nothing.
 */
export function getRateLimit(entry: Endpoint): RateLimitOptions {
  const kind = entry.events ? 'run' : isForm(entry.body) ? 'upload' : entry.method === 'GET' ? 'read' : 'write'
  return {
    max: ({ server }) => RATE_LIMITS_PER_MINUTE[kind] * server.rateLimitFactor,
    timeWindow: '1 minute',
    groupId: kind,
    // Before the guard of ids looks anything up.
    hook: 'preValidation',
    keyGenerator: (request: FastifyRequest) => request.person?.id ?? request.ip,
    errorResponseBuilder: (_request, { max, ttl }) => ({
      statusCode: 429,
      name: 'TooMany',
      code: 'TOO_MANY',
      message: `More than ${max} requests of this kind per minute. Retry in ${Math.ceil(ttl / 1000)} s.`,
    }),
  }
}
