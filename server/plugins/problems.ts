import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, ProblemError, STATUS_OF } from '#contract/problem.ts'

/** Every error leaves as a Problem. What is ours is hidden; its id finds it in the log. */
export function problems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request)
    if (problem.kind === 'fault') request.log.error({ err: error }, 'fault')
    return sendProblem(reply, problem)
  })
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const status = problem.kind === 'refused' ? STATUS_OF.refused : (problem.status ?? STATUS_OF[problem.kind])
  if (problem.retry_after) void reply.header('retry-after', problem.retry_after)
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(problem))
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof ProblemError) return error.problem
  const status = error.statusCode ?? 500
  if (status === 429) return { kind: 'denied', status, message: error.message }
  if (status >= 400 && status < 500) return { kind: 'invalid', status, message: wording(error) }
  return { kind: 'fault', status: 500, message: 'The console failed on this request.', id: request.id }
}

/** Fastify's own refusals of a request, in our words. */
function wording(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'The body is not JSON.'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'The content type must be application/json.'
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'The body is too large.'
    default:
      return error instanceof SyntaxError ? 'The body is not JSON.' : 'The request is not right.'
  }
}
