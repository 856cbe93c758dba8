import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { RunStatus } from '#contract/console/runs.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { asList, asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { isEmptyDetail, applyRunDetail, completeAnswer, isFinalDetail } from '#domain/workflowRun/runDetail.ts'
import { withWholeText } from '#domain/workflowRun/wholeText.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import {
  TIMEOUTS_MS,
  parseJson,
  readRedactedText,
  toErrorReplyProblem,
  toRefusal,
  type UpstreamClient,
} from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { type FoldState, getWorkflow, isAnswerState, toRunStatus } from '../../ledger/runStatus.ts'
import { truncateText } from '#contract/truncatedText.ts'

export interface RunDetailRequest {
  credential: PlatformCredential
  workflow_run_id: string
  run_id: string
  /** Timeout for the first byte of the response, in ms. */
  timeoutMs?: number
}

/**
 * Operation 12.
 * @returns the raw record
 * @throws ProblemError: the platform does not respond, rejects the request, or does not have the run (404 or an empty
 * record)
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
      message: 'The workflow_run_id is not a valid id.',
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
  const upstreamReply = { status: answer.status, body: reply ?? truncateText(text, 4096) }
  driftRecorder.recordReply(driftContext, answer.status, upstreamReply.body)
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
    throw new ProblemError({
      kind: 'mismatch',
      message: 'The platform returned no record.',
      upstream: upstreamReply,
    })
  const error = toErrorReplyProblem(answer.status, reply, text)
  if (error) throw new ProblemError(error)
  if (isEmptyDetail(reply))
    throw new ProblemError({ kind: 'refused', message: UNKNOWN_RUN_MESSAGE, upstream: upstreamReply })
  return reply as Record<string, unknown>
}

const UNKNOWN_RUN_MESSAGE = 'The platform returned an empty record: it does not have this run.'

/** The newest messages of a conversation that are searched for the one of a run. */
const MAX_MESSAGES_READ = 100

/** The text of an answer in the platform's message list; null if there is no such message or no list. */
export async function fetchKeptText(
  { credential, run_id, timeoutMs = TIMEOUTS_MS.read }: Omit<RunDetailRequest, 'workflow_run_id'>,
  { conversation_id, message_id }: Pick<AnswerState, 'conversation_id' | 'message_id'>,
  user: string | null,
  { upstream }: { upstream: UpstreamClient },
): Promise<string | null> {
  if (conversation_id === null || message_id === null) return null
  const query = new URLSearchParams({ conversation_id, limit: String(MAX_MESSAGES_READ), ...(user && { user }) })
  const path = `${contract.adjacent.listMessages.path}?${query}`
  try {
    const answer = await upstream.send(
      credential,
      { method: 'GET', path, accept: 'application/json', timeoutMs },
      run_id,
    )
    const reply = parseJson(await readRedactedText(answer))
    if (answer.status !== 200) return null
    const messages = asList(asRecord(reply)?.data).map(asRecord)
    return asText(messages.find((message) => message?.id === message_id)?.answer)
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** The run as operation 12 reports it: its fold, its status, and the reply in the shape of a blocking one. */
export interface ReconciledRun {
  state: FoldState
  status: RunStatus
  reply: unknown
}

/**
 * Without a final state from the platform the status is unchanged. `keptText`: the platform's text of a chatflow's
 * answer.
 */
export function applyRunDetailTo(
  detail: Record<string, unknown>,
  current: {
    state: FoldState
    status: RunStatus
    problem: Problem | null
    isRemote: boolean
    keptText?: string | null
  },
): ReconciledRun {
  const { status, problem, isRemote, keptText = null } = current
  const origin = { at: new Date().toISOString(), elsewhere: isRemote, because: problem?.message ?? null }
  const reported = applyRunDetail(getWorkflow(current.state), detail, origin)
  const run = current.state.cut || current.state.gaps ? withWholeText(reported) : reported
  const state = isAnswerState(current.state) ? completeAnswer(current.state, run, keptText) : run
  return {
    state,
    status: isFinalDetail(detail) ? toRunStatus(state) : status,
    reply: { workflow_run_id: run.workflow_run_id, data: detail },
  }
}
