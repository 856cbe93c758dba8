import type { Problem } from '#contract/problem.ts'
import type { BatchRowOutcome } from './batchKind.ts'

/**
 * The effect of a failed call on the following rows; null where only that row failed. A 429 and a failed connection had no
 * effect on the platform: such a row is sent again later. An exhausted quota (`rate_limit_error` without a time) and a
 * rejected key would fail every other row as well.
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
