import type { FastifyInstance } from 'fastify'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** Clients send the JSON content type with every request; without a body, a DELETE for instance, there is none to parse. */
export function acceptEmptyJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body, (error) => (error ? done(error) : done(null, parseLosslessJson(body))))
  })
}
