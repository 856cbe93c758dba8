import type { Pool } from 'pg'
import { Annotation, AnnotationInput, toAnnotationRef } from '#contract/platform/annotations.ts'
import { contract } from '#contract/index.ts'
import { toInvalidProblem, type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { findCreatedAnnotation } from './findCreatedAnnotation.ts'
import { type BatchRowHandler, type BatchRowOutcome, type BatchTask, getRowTarget } from './batchKind.ts'
import { type RowCallDeps, sendRowCall, toFailedRow, toSucceededRow, toUnknownRow } from './rowCall.ts'

interface AnnotationBatchDeps extends RowCallDeps {
  pool: Pool
  vault: Vault
}

/** Rows that are annotations: `question` and `answer` are inputs of the row, and each row is one call of operation 18. */
export function createAnnotationBatchKind(parts: AnnotationBatchDeps): BatchRowHandler {
  return {
    validate(_target, { inputs }) {
      const result = AnnotationInput.safeParse(inputs)
      return result.success ? null : toInvalidProblem('body', result.error)
    },

    async execute(task) {
      try {
        const credential = await parts.vault.getCredential(getRowTarget(task).key_id)
        return await createAnnotation(task, credential, parts)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },

    async resolve(call) {
      if (isActiveStatus(call.status)) return null
      if (call.status === 'succeeded') return toSucceeded(call.reply, call.duration_ms)
      if (call.status === 'failed' && call.problem) return toFailedRow(call.problem, call.duration_ms)
      return resolveInterrupted(call, parts)
    },

    toOutputs({ reply }) {
      const annotation = Annotation.safeParse(reply)
      return annotation.success ? { annotation_id: annotation.data.id } : {}
    },
  }
}

async function createAnnotation(
  task: BatchTask,
  credential: PlatformCredential,
  parts: AnnotationBatchDeps,
): Promise<BatchRowOutcome> {
  const body = AnnotationInput.parse(task.input.inputs)
  const sent = await sendRowCall(task, credential, parts, {
    entry: 'annotations.create',
    path: contract.annotations.create.path,
    params: {},
    body,
    title: body.question,
    toResources: (reply) => {
      const annotation = Annotation.safeParse(reply)
      return annotation.success ? [{ ...toAnnotationRef(annotation.data), parent: credential.key_id }] : []
    },
  })
  return 'is' in sent ? sent : toSucceeded(sent.reply, sent.duration_ms)
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
  if (answer === 'nobody knows') return toUnknownRow(problem, call.duration_ms)
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

function toSucceeded(reply: unknown, duration_ms: number | null): BatchRowOutcome {
  const annotation = Annotation.safeParse(reply)
  const result = annotation.success ? annotation.data.id : null
  return toSucceededRow(result, duration_ms)
}
