import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { RunStatus } from '#contract/console/runs.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { isEmptyDetail, applyRunDetail, isFinalDetail } from '#domain/workflowRun/runDetail.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import {
  TIMEOUTS_MS,
  parseJson,
  readRedactedText,
  toRefusal,
  type UpstreamClient,
} from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { toRunStatus } from '../../ledger/runStatus.ts'

export interface RunDetailRequest {
  credential: PlatformCredential
  workflow_run_id: string
  /** The console's own id of the run, for the platform's log. */
  run_id: string
  /** Timeout for the first byte of the response, in ms. */
  timeoutMs?: number
}

/**
 * Operation 12.
 * @returns the raw record.
 * @throws ProblemError: the platform does not respond, rejects the request, or has no such run (404 or an empty record).
 */
export async function fetchRunDetail(
  { credential, workflow_run_id, run_id, timeoutMs = TIMEOUTS_MS.read }: RunDetailRequest,
  { upstream, driftRecorder }: { upstream: UpstreamClient; driftRecorder: DriftRecorder },
): Promise<Record<string, unknown>> {
  const params = contract.workflows.readRun.params.safeParse({ workflow_run_id })
  if (!params.success)
    throw new ProblemError({
      kind: 'invalid',
      status: 400,
      message: 'The workflow_run_id is no id that can be asked for.',
    })
  const path = fillPath(contract.workflows.readRun.path, params.data)
  const answer = await upstream.send(credential, { method: 'GET', path, accept: 'application/json', timeoutMs }, run_id)
  const driftContext = { workspace_id: credential.workspace_id, operation: 'workflows.readRun', call_id: run_id }
  if (answer.status !== 200) {
    const problem = await toRefusal(answer)
    driftRecorder.recordProblem(driftContext, problem)
    throw new ProblemError(problem)
  }
  const text = await readRedactedText(answer)
  const reply = parseJson(text)
  driftRecorder.recordReply(driftContext, answer.status, reply ?? text.slice(0, 4096))
  const upstreamReply = { status: answer.status, body: reply ?? text.slice(0, 4096) }
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
    throw new ProblemError({
      kind: 'mismatch',
      message: 'The platform returned no record.',
      upstream: upstreamReply,
    })
  if (isEmptyDetail(reply))
    throw new ProblemError({ kind: 'refused', message: UNKNOWN_RUN_MESSAGE, upstream: upstreamReply })
  return reply as Record<string, unknown>
}

const UNKNOWN_RUN_MESSAGE = 'The platform returned an empty record: it has no such run.'

/** The run as operation 12 reports it: its fold, its status, and the reply in the shape of a blocking one. */
export interface ReconciledRun {
  state: RunState
  status: RunStatus
  reply: unknown
}

/** Without a final state from the platform the run is unchanged; a paused run is `interrupted`. */
export function applyRunDetailTo(
  detail: Record<string, unknown>,
  current: { state: RunState; status: RunStatus; problem: Problem | null; isRemote: boolean },
): ReconciledRun {
  const { status, problem, isRemote } = current
  const origin = { at: new Date().toISOString(), elsewhere: isRemote, because: problem?.message ?? null }
  const state = applyRunDetail(current.state, detail, origin)
  return {
    state,
    status: isFinalDetail(detail) ? toRunStatus(state) : status,
    reply: { workflow_run_id: state.workflow_run_id, data: detail },
  }
}
