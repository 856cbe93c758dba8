import type { FastifyInstance } from 'fastify'
import { ProblemError } from '#contract/problem.ts'

/** Deeper JSON is no request of a person, and a value that nests without end is a trap for whatever walks it. */
export const DEPTH = 64

/** Takes JSON as text and checks it; the parts of a form stay a stream. Nothing else is taken. */
export function bodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (depthOf(text as string) > DEPTH) return done(tooDeep())
    return parse(request, text as string, done)
  })
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = Buffer.from('"\\[]{}')

/** How deep brackets stand in each other outside of strings. A loop: a regular expression overflows on a long text. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString && code === BACKSLASH) at++
    else if (code === QUOTE) isInString = !isInString
    else if (isInString) continue
    else if (code === OPEN_LIST || code === OPEN_RECORD) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_LIST || code === CLOSE_RECORD) depth--
  }
  return deepest
}

const tooDeep = () =>
  new ProblemError({ kind: 'invalid', status: 400, message: `The body nests more than ${DEPTH} levels deep.` })
