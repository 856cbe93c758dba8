import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isForm, type Endpoint, type Form } from '#contract/endpoint.ts'
import { invalid } from '#contract/problem.ts'
import { clean } from './clean.ts'
import { invalidParam, notFound, PlatformError } from './errors.ts'
import type { PlatformKey } from './keys.ts'
import { loosen } from './loosen.ts'
import { readParts, type Upload } from './parts.ts'

type Checked<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends Form<infer Data>
    ? { data: z.output<Data>; file: Upload | null }
    : undefined

/** A request as it is handed to a handler: every part has passed the contract's schema, loosened. */
export interface Call<E extends Endpoint> {
  params: z.output<E['params']>
  query: Checked<E['query']>
  body: Checked<E['body']>
  caller: PlatformKey
  request: FastifyRequest
  reply: FastifyReply
}

export interface RouteOptions {
  /** Older paths under which upstream answers the same operation. */
  aliases?: string[]
  /** The biggest file in bytes; the default is the interface's general limit. */
  fileLimit?: number
  /** The code of a path parameter that is none of its words. */
  paramCode?: string
}

/**
 * Serves one entry of the contract. What the handler gives is sent as JSON with 200, nothing as 204; a handler that has
 * begun a stream itself (`reply.hijack()`) is left alone. Whatever it throws becomes the platform's error body.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  entry: E,
  handler: (call: Call<E>) => unknown,
  { aliases = [], fileLimit, paramCode = 'invalid_param' }: RouteOptions = {},
): void {
  const query = entry.query && loosen(entry.query)
  const data = entry.body && loosen(isForm(entry.body) ? entry.body.data : entry.body)
  const readBody = async (request: FastifyRequest) => {
    if (!isForm(entry.body)) return data && check(data, request.body ?? {})
    const { fields, file } = await readParts(request, { json: !entry.body.spread, fileLimit })
    return { data: data && check(data, fields), file }
  }
  for (const url of [entry.path, ...aliases])
    app.route({
      method: entry.method,
      url,
      config: { need: entry.key },
      handler: async (request, reply) => {
        const call = {
          params: checkParams(entry.params, request.params, paramCode),
          query: query && check(query, request.query),
          body: await readBody(request),
          caller: request.caller,
          request,
          reply,
        } as Call<E>
        const result = await handler(call)
        if (reply.sent) return reply
        return result === undefined ? reply.code(204).send() : result
      },
    })
}

/** @throws PlatformError 400 `invalid_param` that names each field that is wrong, one a line. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(clean(value))
  if (result.success) return result.data
  throw invalidParam(explain(result.error))
}

/** An id that is no UUID names nothing: 404, as upstream's router answers. Any other word is a bad parameter. */
function checkParams(schema: z.ZodType, value: unknown, code: string): unknown {
  const result = schema.safeParse(clean(value))
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0] ?? '')
  if (!name.endsWith('_id')) throw new PlatformError(400, code, explain(result.error))
  const noun = name.slice(0, -'_id'.length).replaceAll('_', ' ')
  throw notFound(noun.charAt(0).toUpperCase() + noun.slice(1))
}

function explain(error: z.ZodError): string {
  const { fields = [] } = invalid('', error)
  return fields
    .slice(0, 20)
    .map(({ path, message }) => `${path || 'The body'} ${message}`)
    .join('\n')
}
