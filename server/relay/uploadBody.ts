import { Transform, type Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ProblemError } from '#contract/problem.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { readMultipartBoundary } from './requestHeaders.ts'
import { screenForm } from './formScreen.ts'

const BYTES_PER_MB = 1024 * 1024
/** The maximum size of an upload, whatever a platform accepts: the limit of the proxy in front of the real platform. */
export const MAX_UPLOAD_BYTES = 100 * BYTES_PER_MB
/** Size of a form in addition to its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024

/** The body of a form upload. For a person with a narrowed scope it is held back until its fields are checked. */
export async function toUpstreamForm(request: FastifyRequest, limit: number, pool: Pool): Promise<Readable> {
  const boundary = readMultipartBoundary(request)
  const body = limitBody(request, limit)
  const { accessScope } = request
  return accessScope === null
    ? body
    : screenForm(body, boundary, (fields) => requirePartsInScope(pool, accessScope, { body: fields }))
}

/** Streams the body of a form to the platform without buffering. It is aborted when it exceeds the limit. */
function limitBody(request: FastifyRequest, maxBytes: number): Readable {
  const body = request.body as Readable
  // Drains the body: a browser that is still sending would not read the reply.
  if (Number(request.headers['content-length']) > maxBytes + FORM_OVERHEAD_BYTES) {
    body.resume()
    throw toTooLargeError(maxBytes)
  }
  let size = 0
  const counter = new Transform({
    transform(part: Buffer, _encoding, done) {
      size += part.length
      if (size > maxBytes + FORM_OVERHEAD_BYTES) done(toTooLargeError(maxBytes))
      else done(null, part)
    },
  })
  counter.on('error', () => body.resume())
  body.on('error', (error) => counter.destroy(error))
  body.on('close', () => body.readableEnded || counter.destroy(new Error('the browser has left')))
  return body.pipe(counter)
}

/** The app's own upload limit: the largest in megabytes by kind of file (`system_parameters`); otherwise the server's. */
export async function getUploadLimitBytes(pool: Pool, key_id: string): Promise<number> {
  const { rows } = await pool.query<{ payload: { system_parameters?: Record<string, unknown> } | null }>(
    `SELECT payload FROM resources WHERE kind = 'parameters' AND parent = $1 ORDER BY last_seen DESC LIMIT 1`,
    [key_id],
  )
  const sizes = Object.entries(rows[0]?.payload?.system_parameters ?? {})
    .filter(([name]) => name.endsWith('file_size_limit'))
    .map(([, size]) => Number(size) * BYTES_PER_MB)
    .filter((size) => size > 0)
  return sizes.length > 0 ? Math.min(Math.max(...sizes), MAX_UPLOAD_BYTES) : MAX_UPLOAD_BYTES
}

function toTooLargeError(limit: number): ProblemError {
  const message = `must be at most ${limit / BYTES_PER_MB} MB`
  return new ProblemError({
    kind: 'invalid',
    status: 413,
    message: `The file ${message}.`,
    fields: [{ path: 'body.file', message }],
  })
}
