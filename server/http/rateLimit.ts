import type { RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { type Endpoint, isForm } from '#contract/endpoint.ts'

declare module 'fastify' {
  interface FastifyInstance {
    rateLimitFactor: number
  }
}

/** Requests per minute of one person, by cost. Rows of a batch do not count. */
export const RATE_LIMITS_PER_MINUTE = { read: 6_000, write: 600, run: 300, upload: 60 }

export const getRateLimit = (entry: Endpoint): RateLimitOptions =>
  createRateLimit(entry.events ? 'run' : isForm(entry.body) ? 'upload' : entry.method === 'GET' ? 'read' : 'write')

/**
 * The rate limit of a person. It runs after authentication, and counts all entries of a kind together; a forged client
 * address changes nothing.
 */
export function createRateLimit(kind: keyof typeof RATE_LIMITS_PER_MINUTE): RateLimitOptions {
  return {
    max: ({ server }) => RATE_LIMITS_PER_MINUTE[kind] * server.rateLimitFactor,
    timeWindow: '1 minute',
    groupId: kind,
    // Before the id guard queries the database.
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
