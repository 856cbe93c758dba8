import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { getPathParamNames, Id, isForm, type Endpoint, type Form } from '#contract/endpoint.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import { sanitizeInput } from './sanitizeInput.ts'
import { PlatformError } from './platformErrors.ts'
import type { PlatformKey } from './platformKeys.ts'
import { toLenientSchema } from './lenientSchema.ts'
import { readMultipart, type UploadedFile } from './multipartBody.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

type CheckedInput<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends Form<infer Data>
    ? { data: z.output<Data>; file: UploadedFile | null }
    : undefined

/** A handler's request: every part has passed the lenient schema of the contract. */
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
  /** The error code for an invalid value of a path parameter, if not `invalid_param`. */
  paramErrorCode?: string
  /** The error code for an invalid value of the query, if not `invalid_param`. */
  queryErrorCode?: string
}

/**
 * Serves one entry of the contract. The handler's result is sent as JSON with 200, undefined as 204; a handler that has
 * started a stream itself (`reply.hijack()`) is ignored. Errors become the platform's error body.
 */
export function registerPlatformEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  entry: E,
  handler: (call: PlatformCall<E>) => unknown,
  { aliases = [], maxFileBytes, paramErrorCode, queryErrorCode }: PlatformRouteOptions = {},
): void {
  const query = entry.query && toLenientSchema(entry.query)
  const data = entry.body && toLenientSchema(isForm(entry.body) ? entry.body.data : entry.body)
  const readBody = async (request: FastifyRequest) => {
    if (!isForm(entry.body)) return data && checkInput(data, requireJsonBody(request))
    const { fields, file } = await readMultipart(request, {
      json: !entry.body.sendAsTextParts,
      fileLimit: maxFileBytes,
    })
    return { data: data && checkInput(data, fields), file }
  }
  for (const url of [entry.path, ...aliases])
    app.route({
      method: entry.method,
      url: restrictIds(url, entry.params),
      config: { keyNeed: entry.key },
      handler: async (request, reply) => {
        const call = {
          params: checkInput(entry.params, request.params, paramErrorCode),
          query: query && checkInput(query, request.query, queryErrorCode),
          body: await readBody(request),
          caller: request.caller,
          request,
          reply,
        } as PlatformCall<E>
        const result = await handler(call)
        if (reply.sent) return reply
        // An empty answer has the JSON type as well, as upstream.
        return result === undefined ? reply.code(204).type('application/json').send() : result
      },
    })
}

/** The parsed body, where null counts as an empty object. @throws PlatformError if the request has none, as upstream */
function requireJsonBody(request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body ?? {}
  if (request.headers['content-type'] === undefined)
    throw new PlatformError(415, 'unsupported_media_type', 'The body must be application/json.')
  throw new PlatformError(400, 'bad_request', 'This operation requires a request body.')
}

/** @throws PlatformError 400 with the code; it lists the invalid fields, one per line */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code = 'invalid_param',
): z.output<Schema> {
  const result = schema.safeParse(sanitizeInput(value))
  if (result.success) return result.data
  throw new PlatformError(400, code, toFieldMessages(result.error))
}

/** The pattern of ids in paths. */
export const UUID_PATTERN = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** Ids match only UUIDs: for another segment there is no route, so the reply is a 404 before the key is checked. */
function restrictIds(url: string, params: z.ZodType): string {
  const shape: Record<string, z.ZodType> = params instanceof z.ZodObject ? params.shape : {}
  return getPathParamNames(url).reduce(
    (restricted, name) =>
      shape[name] === Id ? restricted.replace(`:${name}`, `:${name}(^${UUID_PATTERN}$)`) : restricted,
    url,
  )
}

function toFieldMessages(error: z.ZodError): string {
  const { fields = [] } = toInvalidProblem('', error)
  return fields
    .slice(0, 20)
    .map(({ path, message }) => `${path || 'The body'} ${message}`)
    .join('\n')
}

/** Clients send the JSON content type with every request, even without a body, as with DELETE. */
export function acceptEmptyJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body, (error) => (error ? done(error) : done(null, parseLosslessJson(body))))
  })
}
