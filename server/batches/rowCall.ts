import type { ResourceRef } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import type { KeyHealth } from '../relay/detection/keyHealth.ts'
import type { DriftRecorder } from '../relay/driftRecorder.ts'
import {
  TIMEOUTS_MS,
  isSuccess,
  mayHaveExecuted,
  parseJson,
  readRedactedText,
  toRefusal,
  type UpstreamClient,
} from '../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import type { BatchRowEnd, BatchRowOutcome, BatchTask } from './batchKind.ts'
import { classifyFailure } from './retryPolicy.ts'

export interface RowCallDeps {
  server_id: string
  upstream: UpstreamClient
  ledger: Ledger
  resources: ResourceStore
  driftRecorder: DriftRecorder
  keyHealth: KeyHealth
}

/** The request of a row that is one call with a JSON reply, and no run. */
export interface RowRequest {
  /** The entry of the contract. */
  entry: string
  path: string
  params: Record<string, string>
  body: object
  title: string
  toResources: (reply: unknown) => ResourceRef[]
}

/** @returns the reply of a success, else the outcome of the row */
export async function sendRowCall(
  { batch, number, run_id, parent_id }: BatchTask,
  credential: PlatformCredential,
  { server_id, upstream, ledger, resources, driftRecorder, keyHealth }: RowCallDeps,
  { entry, path, params, body, title, toResources }: RowRequest,
): Promise<{ reply: unknown; duration_ms: number } | BatchRowOutcome> {
  const { workspace_id } = credential
  const driftContext = { workspace_id, operation: entry, call_id: run_id }
  const isNew = await ledger.insertCall({
    id: run_id,
    entry,
    status: 'dispatched',
    person_id: batch.person_id,
    workspace_id,
    key_id: credential.key_id,
    params,
    request: body,
    request_hash: null,
    response_mode: null,
    title,
    end_user: null,
    parent_id,
    server_id,
    note: batch.name,
    batch_row: { batch_id: batch.id, number },
  })
  if (!isNew) return { is: 'unsent' }
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await upstream.send(
      credential,
      {
        method: 'POST',
        path,
        accept: 'application/json',
        timeoutMs: TIMEOUTS_MS.blocking,
        body: JSON.stringify(body),
        contentType: 'application/json',
        person_id: batch.person_id,
      },
      run_id,
    )
    if (!isSuccess(answer)) throw new ProblemError(await toRefusal(answer))
    const reply = parseJson(await readRedactedText(answer)) ?? null
    driftRecorder.recordReply(driftContext, answer.status, reply)
    void keyHealth.recordSuccess(credential, answer.latency_ms, false)
    const resourceRefs = toResources(reply)
    resources.record(workspace_id, resourceRefs)
    const duration_ms = elapsedMs()
    await ledger.endCallEventually(run_id, {
      status: 'succeeded',
      http_status: answer.status,
      reply,
      duration_ms,
      resource_ids: resourceRefs.slice(0, MAX_RESOURCE_IDS).map(({ id }) => id),
    })
    return { reply, duration_ms }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { problem } = error
    driftRecorder.recordProblem(driftContext, problem)
    void keyHealth.recordProblem(credential, problem, { isRead: false, isOwnKind: false })
    const status = mayHaveExecuted(problem) || problem.kind === 'mismatch' ? 'unknown' : 'failed'
    const duration_ms = elapsedMs()
    await ledger.endCallEventually(run_id, {
      status,
      problem,
      duration_ms,
      http_status: problem.upstream?.status ?? null,
    })
    return status === 'failed' ? toFailedRow(problem, duration_ms) : toUnknownRow(problem, duration_ms)
  }
}

/** Resources of a reply that its call in the ledger names. */
const MAX_RESOURCE_IDS = 100

const NO_USAGE = { tokens: null, price: null, currency: null }

export const toSucceededRow = (result: unknown, duration_ms: number | null): { is: 'done' } & BatchRowEnd => ({
  ...NO_USAGE,
  is: 'done',
  state: 'succeeded',
  problem: null,
  result,
  duration_ms,
})

export const toUnknownRow = (problem: Problem, duration_ms: number | null): { is: 'done' } & BatchRowEnd => ({
  ...NO_USAGE,
  is: 'done',
  state: 'unknown',
  problem,
  result: null,
  duration_ms,
})

export const toFailedRow = (problem: Problem, duration_ms: number | null): BatchRowOutcome =>
  classifyFailure(problem) ?? { ...NO_USAGE, is: 'done', state: 'failed', problem, result: null, duration_ms }
