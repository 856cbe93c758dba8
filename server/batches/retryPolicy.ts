import type { Problem } from '#contract/problem.ts'
import type { BatchRowOutcome } from './batchKind.ts'

/**
 * What a call that failed means for the rows after it; null where it failed for itself alone. A 429 and a connection that
 * never came about did nothing: such a row goes out again later. A quota that is used up (`rate_limit_error` without a
 * time) and a key that is refused would meet every other row as well.
 */
export function classifyFailure(problem: Problem): BatchRowOutcome | null {
  const status = problem.kind === 'refused' ? problem.upstream?.status : undefined
  const wait = problem.retry_after ?? null
  if (status === 429 && (wait !== null || getProblemCode(problem) !== 'rate_limit_error'))
    return { is: 'again', problem, wait }
  if (status === 429 || status === 401 || problem.kind === 'denied') return { is: 'refused', problem, sent: true }
  return problem.kind === 'unreachable' ? { is: 'again', problem, wait } : null
}

function getProblemCode({ upstream }: Problem): unknown {
  const body = upstream?.body
  return typeof body === 'object' && body !== null ? (body as { code?: unknown }).code : null
}
