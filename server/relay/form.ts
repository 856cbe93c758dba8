import { Transform, type Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ProblemError } from '#contract/problem.ts'
import { requireInScope } from '../access/scope.ts'
import { boundaryOf } from './headers.ts'
import { screenForm } from './screen-form.ts'

const MB = 1024 * 1024
/** The most that goes through, whatever a platform takes: as much as the proxy before the real one lets pass. */
export const UPLOAD_LIMIT = 100 * MB
/** What the parts of a form need beside the file. */
const AROUND = 64 * 1024

/** The body of a form, on its way. What a narrowed person sends is held back until its fields are in scope. */
export async function formBody(request: FastifyRequest, limit: number, pool: Pool): Promise<Readable> {
  const boundary = boundaryOf(request)
  const body = bounded(request, limit)
  const { reach } = request
  return reach === null ? body : screenForm(body, boundary, (fields) => requireInScope(pool, reach, { body: fields }))
}

/** The body of a form on its way to the platform, which is never held here. It is cut off where it passes the limit. */
function bounded(request: FastifyRequest, limit: number): Readable {
  const body = request.body as Readable
  // What is not wanted is read away: a browser that is still sending would not see the reply.
  if (Number(request.headers['content-length']) > limit + AROUND) {
    body.resume()
    throw tooLarge(limit)
  }
  let size = 0
  const counter = new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length
      if (size > limit + AROUND) done(tooLarge(limit))
      else done(null, part)
    },
  })
  counter.on('error', () => body.resume())
  body.on('error', (error) => counter.destroy(error))
  body.on('close', () => body.readableEnded || counter.destroy(new Error('the browser has left')))
  return body.pipe(counter)
}

/** What an app said that it takes, in megabytes by kind of file (`system_parameters`), the largest of them; else the server's. */
export async function uploadLimit(pool: Pool, key_id: string): Promise<number> {
  const { rows } = await pool.query<{ payload: { system_parameters?: Record<string, unknown> } | null }>(
    `SELECT payload FROM things WHERE kind = 'parameters' AND parent = $1 ORDER BY last_seen DESC LIMIT 1`,
    [key_id],
  )
  const sizes = Object.entries(rows[0]?.payload?.system_parameters ?? {})
    .filter(([name]) => name.endsWith('file_size_limit'))
    .map(([, size]) => Number(size) * MB)
    .filter((size) => size > 0)
  return sizes.length > 0 ? Math.min(Math.max(...sizes), UPLOAD_LIMIT) : UPLOAD_LIMIT
}

function tooLarge(limit: number): ProblemError {
  const message = `must be at most ${limit / MB} MB`
  return new ProblemError({
    kind: 'invalid',
    status: 413,
    message: `The file ${message}.`,
    fields: [{ path: 'body.file', message }],
  })
}
