import type { FastifyRequest } from 'fastify'
import { Id } from '#contract/endpoint.ts'
import { invalidFieldError } from '#contract/problem.ts'
import { RUN_ORIGINS, type RunOriginKind } from '#contract/console/runs.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** The id in a header, null without the header. @throws ProblemError `invalid` that names the header. */
export function readIdHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  if (value === undefined) return null
  const id = Id.safeParse(value)
  if (!id.success) throw invalidFieldError(`headers.${name}`, 'must be an id in UUID form')
  return id.data.toLowerCase()
}

/** The boundary is the only part of the browser's headers that is forwarded: it delimits the parts of the body. */
export const toMultipartContentType = (request: FastifyRequest): string =>
  `multipart/form-data; boundary="${readMultipartBoundary(request)}"`

/** @throws ProblemError `invalid` where the content type has no boundary. */
export function readMultipartBoundary(request: FastifyRequest): string {
  const boundary = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i.exec(
    request.headers['content-type'] ?? '',
  )
  if (!boundary?.[2]) throw invalidFieldError('headers.content-type', 'must be multipart/form-data with a boundary')
  return boundary[2]
}

/** The caller's reason: percent-encoded, since a header is ASCII. */
export function readNoteHeader(request: FastifyRequest): string | null {
  const { note } = request.headers
  if (typeof note !== 'string') return null
  try {
    return truncateText(decodeURIComponent(note), 500)
  } catch {
    throw invalidFieldError('headers.note', 'must be percent-encoded UTF-8')
  }
}

/** Origins that a page may name; batches and loaded runs are started by the server. */
const PAGE_ORIGINS = RUN_ORIGINS.filter((kind) => kind !== 'batch' && kind !== 'platform')

/** The page that starts a run, and its board: `Run-Origin` and `Run-Origin-Id`. A caller without them is a script. */
export function readOriginHeaders(request: FastifyRequest): { kind: RunOriginKind; id: string | null } {
  const value = request.headers['run-origin']
  const kind = PAGE_ORIGINS.find((one) => one === value)
  if (value !== undefined && kind === undefined)
    throw invalidFieldError('headers.run-origin', `must be one of ${PAGE_ORIGINS.join(', ')}`)
  return { kind: kind ?? 'api', id: kind === 'board' ? readIdHeader(request, 'run-origin-id') : null }
}
