import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isForm, type Endpoint, type Form } from '#contract/endpoint.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import { sanitizeInput } from './sanitizeInput.ts'
import { toInvalidParamError, toNotFoundError, PlatformError } from './platformErrors.ts'
import type { PlatformKey } from './platformKeys.ts'
import { toLenientSchema } from './lenientSchema.ts'
import { readMultipart, type UploadedFile } from './multipartBody.ts'

type CheckedInput<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends Form<infer Data>
    ? { data: z.output<Data>; file: UploadedFile | null }
    : undefined

/** A handler's request: every part has passed the contract's schema, loosened. */
export interface PlatformCall<E extends Endpoint> {
  params: z.output<E['params']>
  query: CheckedInput<E['query']>
  body: CheckedInput<E['body']>
  caller: PlatformKey
  request: FastifyRequest
  reply: FastifyReply
}

export interface PlatformRouteOptions {
  /** Older paths of the same operation in upstream. */
  aliases?: string[]
  /** Maximum file size in bytes; the default is the interface's general limit. */
  maxFileBytes?: number
  /** The error code for an invalid value of a path parameter. */
  paramErrorCode?: string
}

/**
 * Serves one entry of the contract. The handler's result is sent as JSON with 200, undefined as 204; a handler that has
 * started a stream itself (`reply.hijack()`) is ignored. Errors become the platform's error body.
 */
export function registerPlatformEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  entry: E,
  handler: (call: PlatformCall<E>) => unknown,
  { aliases = [], maxFileBytes, paramErrorCode = 'invalid_param' }: PlatformRouteOptions = {},
): void {
  const query = entry.query && toLenientSchema(entry.query)
  const data = entry.body && toLenientSchema(isForm(entry.body) ? entry.body.data : entry.body)
  const readBody = async (request: FastifyRequest) => {
    if (!isForm(entry.body)) return data && checkInput(data, request.body ?? {})
    const { fields, file } = await readMultipart(request, {
      json: !entry.body.sendAsTextParts,
      fileLimit: maxFileBytes,
    })
    return { data: data && checkInput(data, fields), file }
  }
  for (const url of [entry.path, ...aliases])
    app.route({
      method: entry.method,
      url,
      config: { keyNeed: entry.key },
      handler: async (request, reply) => {
        const call = {
          params: checkParams(entry.params, request.params, paramErrorCode),
          query: query && checkInput(query, request.query),
          body: await readBody(request),
          caller: request.caller,
          request,
          reply,
        } as PlatformCall<E>
        const result = await handler(call)
        if (reply.sent) return reply
        return result === undefined ? reply.code(204).send() : result
      },
    })
}

/** @throws PlatformError 400 `invalid_param` that lists the invalid fields, one per line. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(sanitizeInput(value))
  if (result.success) return result.data
  throw toInvalidParamError(toFieldMessages(result.error))
}

/** An id that is no UUID does not exist: 404, as upstream's router answers. Other invalid values are bad parameters. */
function checkParams(schema: z.ZodType, value: unknown, code: string): unknown {
  const result = schema.safeParse(sanitizeInput(value))
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0] ?? '')
  if (!name.endsWith('_id')) throw new PlatformError(400, code, toFieldMessages(result.error))
  const noun = name.slice(0, -'_id'.length).replaceAll('_', ' ')
  throw toNotFoundError(noun.charAt(0).toUpperCase() + noun.slice(1))
}

function toFieldMessages(error: z.ZodError): string {
  const { fields = [] } = toInvalidProblem('', error)
  return fields
    .slice(0, 20)
    .map(({ path, message }) => `${path || 'The body'} ${message}`)
    .join('\n')
}
