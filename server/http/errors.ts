import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, ProblemError, PROBLEM_HTTP_STATUS } from '#contract/problem.ts'
import { isConnectionError, isLockConflict } from '../db/connectionErrors.ts'

/** Every error becomes a Problem. Internal details are hidden; the error's id finds them in the log. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request)
    if (problem.kind === 'fault') request.log.error({ err: error }, 'request failed')
    return sendProblem(reply, problem)
  })
}

/** Errors before any route or hook: an undecodable URL, an overlong parameter, a request that is not HTTP. */
export const connectionErrorHandlers = {
  frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    void sendProblem(reply.header('x-content-type-options', 'nosniff'), toProblem(error, request))
  },
  clientErrorHandler: (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return socket.destroy() && undefined
    const [status, message] = CLIENT_ERROR_REPLIES[error.code ?? ''] ?? [400, 'The request is invalid.']
    const body = JSON.stringify({ kind: 'invalid', status, message } satisfies Problem)
    const head = `HTTP/1.1 ${status} \r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff`
    socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    // A client that never closes its half would keep the descriptor open.
    socket.destroySoon()
  },
}
const CLIENT_ERROR_REPLIES: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers of the request are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const status =
    problem.kind === 'refused' ? PROBLEM_HTTP_STATUS.refused : (problem.status ?? PROBLEM_HTTP_STATUS[problem.kind])
  if (problem.retry_after) void reply.header('retry-after', problem.retry_after)
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(problem))
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof ProblemError) return error.problem
  const status = error.statusCode ?? 500
  if (status === 429) return { kind: 'denied', status, message: error.message }
  if (error.code === CHARACTER_NOT_IN_REPERTOIRE)
    return { kind: 'invalid', status: 400, message: 'The request contains a character that cannot be stored (NUL).' }
  if (error.code === INVALID_PARAMETER_VALUE && error.message.startsWith('time zone '))
    return { kind: 'invalid', status: 400, message: `The database does not know the ${error.message.split('" ')[0]}".` }
  if (status >= 400 && status < 500) return { kind: 'invalid', status, message: toClientErrorMessage(error) }
  const retryMessage = isConnectionError(error)
    ? 'The database is not available at the moment.'
    : isLockConflict(error) && 'Another request is changing the same data. Try again.'
  if (retryMessage)
    return { kind: 'fault', status: 503, message: retryMessage, retry_after: RETRY_AFTER_S, id: request.id }
  return { kind: 'fault', status: 500, message: 'The server failed to handle this request.', id: request.id }
}

/** Seconds. */
const RETRY_AFTER_S = 2

/** SQLSTATEs for text that PostgreSQL cannot store, and for values that it does not know, such as a time zone. */
const CHARACTER_NOT_IN_REPERTOIRE = '22021'
const INVALID_PARAMETER_VALUE = '22023'

function toClientErrorMessage(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'The body is not JSON.'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'The content type must be application/json.'
    case 'FST_ERR_BAD_URL':
      return 'The URL cannot be decoded.'
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return 'A part of the URL is too long.'
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'The body is too large.'
    default:
      return error instanceof SyntaxError ? 'The body is not JSON.' : 'The request is invalid.'
  }
}
