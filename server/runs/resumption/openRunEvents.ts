import { contract } from '#contract/index.ts'
import { fillPath } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import {
  readRedactedText,
  TIMEOUTS_MS,
  toNotJsonProblem,
  toRefusal,
  type UpstreamClient,
  type UpstreamResponse,
} from '../../relay/upstream/upstream.ts'
import { getEndUser, type RunOrder } from '../runOrder.ts'

/**
 * Opens the stream of an active run at the platform: a snapshot of the run, then further events. With `staysOpen` the
 * stream continues after a pause.
 * @throws ProblemError `refused` or `mismatch` if the platform does not offer it or does not have the run, and as
 * `UpstreamClient.send`
 */
export async function openRunEvents(
  order: RunOrder,
  workflow_run_id: string,
  staysOpen: boolean,
  upstream: UpstreamClient,
): Promise<UpstreamResponse> {
  const { path, params } = contract.adjacent.runEvents
  const parsedParams = params.safeParse({ workflow_run_id })
  if (!parsedParams.success)
    throw new ProblemError({ kind: 'mismatch', message: `The workflow_run_id “${workflow_run_id}” is not a UUID.` })
  const query = new URLSearchParams({
    user: getEndUser(order) ?? '',
    include_state_snapshot: 'true',
    ...(staysOpen && { continue_on_pause: 'true' }),
  })
  const response = await upstream.send(
    order.credential,
    {
      method: 'GET',
      path: `${fillPath(path, parsedParams.data)}?${query}`,
      accept: 'text/event-stream',
      timeoutMs: TIMEOUTS_MS.stream,
      person_id: order.person_id,
    },
    order.run_id,
  )
  if (response.status !== 200) throw new ProblemError(await toRefusal(response))
  if (!/^\s*text\/event-stream\b/i.test(response.contentType))
    throw new ProblemError({
      ...toNotJsonProblem(response, await readRedactedText(response), 'a stream'),
      kind: 'mismatch',
    })
  return response
}
