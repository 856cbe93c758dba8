import type { Pool } from 'pg'
import { Annotation, AnnotationInput, toAnnotationRef } from '#contract/platform/annotations.ts'
import { contract } from '#contract/index.ts'
import { toInvalidProblem, type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { DriftRecorder } from '../relay/driftRecorder.ts'
import type { KeyHealth } from '../relay/detection/keyHealth.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import {
  TIMEOUTS_MS,
  mayHaveExecuted,
  parseJson,
  readRedactedText,
  toRefusal,
  type UpstreamClient,
} from '../relay/upstream/upstream.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { classifyFailure } from './retryPolicy.ts'
import { findCreatedAnnotation } from './findCreatedAnnotation.ts'
import type { BatchRowEnd, BatchRowHandler, BatchRowOutcome, BatchTask } from './batchKind.ts'

interface AnnotationBatchDeps {
  server_id: string
  pool: Pool
  vault: Vault
  upstream: UpstreamClient
  ledger: Ledger
  resources: ResourceStore
  driftRecorder: DriftRecorder
  keyHealth: KeyHealth
}

/** Rows that are annotations: `question` and `answer` are inputs of the row, and each row is one call of operation 18. */
export function createAnnotationBatchKind(parts: AnnotationBatchDeps): BatchRowHandler {
  return {
    validate(_batch, { inputs }) {
      const result = AnnotationInput.safeParse(inputs)
      return result.success ? null : toInvalidProblem('body', result.error)
    },

    async execute(task) {
      try {
        const credential = await parts.vault.getCredential(task.batch.key_id)
        return await createAnnotation(task, credential, parts)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },

    async resolve(call) {
      if (isActiveStatus(call.status)) return null
      if (call.status === 'succeeded') return toSucceeded(call.reply, call.duration_ms)
      if (call.status === 'failed' && call.problem) return toFailed(call.problem, call.duration_ms)
      return resolveInterrupted(call, parts)
    },

    toOutputs({ reply }) {
      const annotation = Annotation.safeParse(reply)
      return annotation.success ? { annotation_id: annotation.data.id } : {}
    },
  }
}

async function createAnnotation(
  { batch, number, input, run_id, parent_id }: BatchTask,
  credential: PlatformCredential,
  parts: AnnotationBatchDeps,
): Promise<BatchRowOutcome> {
  const { ledger, upstream, resources, driftRecorder, keyHealth } = parts
  const driftContext = { workspace_id: batch.workspace_id, operation: 'annotations.create', call_id: run_id }
  const body = AnnotationInput.parse(input.inputs)
  const isNew = await ledger.insertCall({
    id: run_id,
    entry: 'annotations.create',
    status: 'dispatched',
    person_id: batch.person_id,
    workspace_id: batch.workspace_id,
    key_id: batch.key_id,
    params: {},
    request: body,
    request_hash: null,
    response_mode: null,
    title: body.question,
    end_user: null,
    parent_id,
    server_id: parts.server_id,
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
        path: contract.annotations.create.path,
        accept: 'application/json',
        timeoutMs: TIMEOUTS_MS.blocking,
        body: JSON.stringify(body),
        contentType: 'application/json',
        person_id: batch.person_id,
      },
      run_id,
    )
    if (answer.status < 200 || answer.status >= 300) throw new ProblemError(await toRefusal(answer))
    const reply = parseJson(await readRedactedText(answer)) ?? null
    driftRecorder.recordReply(driftContext, answer.status, reply)
    void keyHealth.recordSuccess(credential, answer.latency_ms, false)
    const annotation = Annotation.safeParse(reply)
    const resourceRefs = annotation.success ? [{ ...toAnnotationRef(annotation.data), parent: batch.key_id }] : []
    resources.record(batch.workspace_id, resourceRefs)
    const duration_ms = elapsedMs()
    await ledger.endCall(run_id, {
      status: 'succeeded',
      http_status: answer.status,
      reply,
      duration_ms,
      resource_ids: resourceRefs.map(({ id }) => id),
    })
    return toSucceeded(reply, duration_ms)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { problem } = error
    driftRecorder.recordProblem(driftContext, problem)
    void keyHealth.recordProblem(credential, problem, { isRead: false, isOwnKind: false })
    const status = mayHaveExecuted(problem) || problem.kind === 'mismatch' ? 'unknown' : 'failed'
    const duration_ms = elapsedMs()
    await ledger.endCall(run_id, { status, problem, duration_ms, http_status: problem.upstream?.status ?? null })
    return status === 'failed' ? toFailed(problem, duration_ms) : toUnknown(problem, duration_ms)
  }
}

/**
 * The server crashed, or its connection broke, during this row: the platform's list of annotations shows the outcome, if it
 * is supported.
 */
async function resolveInterrupted(
  call: CallRow,
  { ledger, pool, vault, upstream }: AnnotationBatchDeps,
): Promise<BatchRowOutcome | null> {
  const problem = call.problem ?? { kind: 'cut', message: 'The server stopped during this call.' }
  const credential = await vault.getCredential(call.key_id).catch(() => null)
  const answer = credential ? await findCreatedAnnotation(call, { pool, upstream, credential }) : 'nobody knows'
  if (answer === 'nobody knows') return toUnknown(problem, call.duration_ms)
  if (answer === 'too early') return null
  if (answer === 'not made') {
    await ledger.reconcileCall(call.id, { status: 'failed', problem: NOT_CREATED_PROBLEM })
    return { is: 'unsent' }
  }
  await ledger.reconcileCall(call.id, { status: 'succeeded', reply: answer, resource_ids: [String(answer['id'])] })
  return toSucceeded(answer, call.duration_ms)
}

const NOT_CREATED_PROBLEM: Problem = {
  kind: 'cut',
  message: 'The call was cut off, and the platform’s list does not have this annotation.',
}

const NO_USAGE = { tokens: null, price: null, currency: null }

function toSucceeded(reply: unknown, duration_ms: number | null): BatchRowOutcome {
  const annotation = Annotation.safeParse(reply)
  const result = annotation.success ? annotation.data.id : null
  return { ...NO_USAGE, is: 'done', state: 'succeeded', problem: null, result, duration_ms }
}

const toUnknown = (problem: Problem, duration_ms: number | null): { is: 'done' } & BatchRowEnd => ({
  ...NO_USAGE,
  is: 'done',
  state: 'unknown',
  problem,
  result: null,
  duration_ms,
})

const toFailed = (problem: Problem, duration_ms: number | null): BatchRowOutcome =>
  classifyFailure(problem) ?? { ...NO_USAGE, is: 'done', state: 'failed', problem, result: null, duration_ms }
