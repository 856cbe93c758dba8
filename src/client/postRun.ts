import { ProblemError } from '#contract/problem.ts'
import { buildRequest, type CallTarget, toProblem } from './http.ts'
import type { GeneratingEndpoint } from './runStore.ts'
import { newRunId } from './useRun.ts'

/** Starts a run that this page does not watch. @throws ProblemError if the server does not take it */
export async function postRun(entry: GeneratingEndpoint, input: CallTarget<GeneratingEndpoint>): Promise<void> {
  const { url, ...init } = buildRequest(entry, input, { 'run-id': newRunId(), prefer: 'respond-async' })
  const response = await fetch(url, init).catch(() => {
    throw new ProblemError({ kind: 'unreachable', message: 'The Loupe server is not responding.' })
  })
  if (response.ok) return
  throw new ProblemError(toProblem(response.status, await response.json().catch(() => null)))
}
