import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** An error in the platform's shape: `{ code, message, status }`. */
export class PlatformError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'PlatformError'
    this.status = status
    this.code = code
  }
}

export const toInvalidParamError = (message: string): PlatformError => new PlatformError(400, 'invalid_param', message)
export const toNotFoundError = (what: string): PlatformError =>
  new PlatformError(404, 'not_found', `${what} not found.`)
export const toForbiddenError = (message: string): PlatformError => new PlatformError(403, 'forbidden', message)

export const toErrorBody = ({ status, code, message }: PlatformError) => ({ code, message, status })

/** Sends any thrown value in the platform's error shape. Unexpected errors are logged and their messages hidden. */
export function sendPlatformError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toPlatformError(error)
  if (refusal.status >= 500) request.log.error({ err: error }, 'platform request failed')
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer realm="api"')
  return reply.code(refusal.status).send(toErrorBody(refusal))
}

/** Converts a thrown value into the caller's error; also used for the error event inside a stream. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const code = CODE_BY_STATUS[status]
  if (!code || !(error instanceof Error)) return INTERNAL_ERROR
  return new PlatformError(status, code, error.message)
}

const INTERNAL_ERROR = new PlatformError(500, 'internal_server_error', 'Internal server error. See the server log.')

/** Error codes of the HTTP layer, before a handler runs. */
const CODE_BY_STATUS: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  411: 'length_required',
  413: 'request_entity_too_large',
  414: 'request_uri_too_long',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'request_header_fields_too_large',
  503: 'service_unavailable',
}
