import type { FastifyInstance } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** No legitimate request nests deeper, and unlimited nesting would overflow recursive code. */
export const MAX_JSON_DEPTH = 64

/** Validates JSON as text; the parts of a form remain a stream. Other content types are rejected. */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (getJsonDepth(text as string) > MAX_JSON_DEPTH) return done(toTooDeepError())
    return parse(request, text as string, (error, body: unknown) =>
      error
        ? done(error)
        : done(
            null,
            parseLosslessJson(text as string, () => body),
          ),
    )
  })
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
}

const [QUOTE_CODE, BACKSLASH_CODE, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = Buffer.from('"\\[]{}')

/** The nesting depth of brackets outside of strings. A loop: a regular expression overflows on a long text. */
function getJsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString && code === BACKSLASH_CODE) at++
    else if (code === QUOTE_CODE) isInString = !isInString
    else if (isInString) continue
    else if (code === OPEN_LIST || code === OPEN_RECORD) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_LIST || code === CLOSE_RECORD) depth--
  }
  return deepest
}

const toTooDeepError = () =>
  new ProblemError({
    kind: 'invalid',
    status: 400,
    message: `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`,
  })
