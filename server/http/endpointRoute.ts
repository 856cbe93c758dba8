import { Readable } from 'node:stream'
import type { RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isLargeJson, toJsonPieces } from '#domain/jsonPieces.ts'
import { type Endpoint, isForm, type Permission, type EndpointReply } from '#contract/endpoint.ts'
import { toInvalidProblem, ProblemError } from '#contract/problem.ts'
import { getRateLimit } from './rateLimit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The server does not start with a route that lacks it. */
    permission?: Permission
  }
}

export interface CheckedRequest<E extends Endpoint> {
  params: E['params'] extends z.ZodType<infer Params> ? Params : Record<string, string>
  query: E['query'] extends z.ZodType ? z.output<E['query']> : undefined
  body: E['body'] extends z.ZodType ? z.output<E['body']> : undefined
}

/**
 * Serves one of the console's own entries: its path, its permission and the validation of its request come from the
 * contract.
 * @param options `bodyLimit`: bytes of a body, where it may be larger than that of other entries; `rateLimit`: where the
 * request costs more than others of its method
 */
export function registerEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  entry: E,
  handler: (
    input: CheckedRequest<E>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<EndpointReply<E> | FastifyReply>,
  { rateLimit = getRateLimit(entry), ...options }: { bodyLimit?: number; rateLimit?: RateLimitOptions } = {},
): void {
  app.route({
    method: entry.method,
    url: entry.path,
    ...options,
    config: { permission: entry.permission, rateLimit },
    handler: async (request, reply) => {
      const result: unknown = await handler(checkRequest(entry, request), request, reply)
      return result !== reply && isLargeJson(result, LARGE_REPLY_CHARS) ? sendJson(reply, result) : result
    },
  })
}

/** Larger replies, in characters, are written in pieces between which other requests run. */
const LARGE_REPLY_CHARS = 1_000_000
const REPLY_PIECE_CHARS = 256 * 1024

/** Replies with a plain value of any size. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  const pieces = toJsonPieces(value, REPLY_PIECE_CHARS)
  return reply.type('application/json; charset=utf-8').send(Readable.from(pieces, { highWaterMark: 1 }))
}

/** @throws ProblemError `invalid` that names each wrong field. */
export function checkRequest<E extends Endpoint>(
  entry: E,
  request: FastifyRequest,
  params: unknown = request.params,
): CheckedRequest<E> {
  // The parts of a form are not parsed here, so they cannot be the body of an entry that takes JSON.
  if (entry.body && !isForm(entry.body) && request.body instanceof Readable)
    throw new ProblemError({ kind: 'invalid', status: 415, message: 'The content type must be application/json.' })
  return {
    params: checkPart(entry.params, params, 'params'),
    query: checkPart(entry.query ?? z.strictObject({}), request.query ?? {}, 'query'),
    body: entry.body && !isForm(entry.body) ? checkPart(entry.body, request.body ?? {}, 'body') : undefined,
  } as CheckedRequest<E>
}

function checkPart(schema: z.ZodType, value: unknown, part: string): unknown {
  const result = schema.safeParse(value)
  if (!result.success) throw new ProblemError(toInvalidProblem(part, result.error))
  return result.data
}
