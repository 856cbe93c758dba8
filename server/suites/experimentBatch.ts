import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { RetrievedPassage } from '#contract/console/suites.ts'
import type { BatchRowHandler, BatchRowOutcome, BatchTask } from '../batches/batchKind.ts'
import { type RowCallDeps, sendRowCall, toFailedRow, toSucceededRow, toUnknownRow } from '../batches/rowCall.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { adaptRequestBody } from '../relay/detection/dialect.ts'
import type { Vault } from '../vault/vault.ts'
import { evaluateResult, type ExperimentResults, type ExperimentRow, FAILED_EVALUATION } from './experimentResults.ts'

interface ExperimentBatchDeps extends RowCallDeps {
  vault: Vault
  results: ExperimentResults
}

/**
 * Rows that are cases of a suite. What the checks say is written before the row ends, so that a row that has ended has its
 * verdicts; after a crash between the two it is computed again from the ledger.
 */
export function createExperimentBatchKind(deps: ExperimentBatchDeps): BatchRowHandler {
  const { results, vault } = deps
  const evaluate = async (
    batch_id: string,
    number: number,
    outcome: BatchRowOutcome,
    row: ExperimentRow,
    reply: unknown,
  ) => {
    if (outcome.is !== 'done') return outcome
    if (outcome.state === 'succeeded')
      await results.write(
        batch_id,
        number,
        evaluateResult(row.checks, { expected: row.expected, found: toPassages(reply) }),
      )
    else if (outcome.state === 'failed') await results.write(batch_id, number, FAILED_EVALUATION)
    return outcome
  }
  return {
    validate: () => null,

    async execute(task) {
      const { batch, number } = task
      const row = await results.findRow(batch.id, number)
      if (!row) return { is: 'refused', problem: DELETED_PROBLEM, sent: false }
      try {
        const credential = await vault.getCredential(row.target.key)
        const sent = await sendRetrieval(task, row, credential, deps)
        return await ('is' in sent
          ? evaluate(batch.id, number, sent, row, null)
          : evaluate(batch.id, number, toSucceededRow(null, sent.duration_ms), row, sent.reply))
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },

    async resolve(call, { batch_id, number }) {
      if (isActiveStatus(call.status)) return null
      const row = await results.findRow(batch_id, number)
      const outcome = toStoredOutcome(call)
      return row ? evaluate(batch_id, number, outcome, row, call.reply) : outcome
    },

    toOutputs: ({ reply }) => ({ segments: toPassages(reply)?.map(({ segment_id }) => segment_id) ?? null }),
  }
}

function sendRetrieval(
  task: BatchTask,
  { target, input }: ExperimentRow,
  credential: Awaited<ReturnType<Vault['getCredential']>>,
  deps: ExperimentBatchDeps,
) {
  const dataset_id = target.dataset_id ?? ''
  const body = {
    query: input.query ?? '',
    ...(target.retrieval_model ? { retrieval_model: target.retrieval_model } : {}),
  }
  return sendRowCall(task, credential, deps, {
    entry: 'adjacent.retrieve',
    path: fillPath(contract.adjacent.retrieve.path, { dataset_id }),
    params: { dataset_id },
    body: adaptRequestBody('adjacent.retrieve', body, credential.dialect) as object,
    title: body.query,
    toResources: (reply) => {
      const parsed = contract.adjacent.retrieve.reply.safeParse(reply)
      return parsed.success
        ? contract.adjacent.retrieve.resources(parsed.data, { params: { dataset_id }, query: undefined, body })
        : []
    },
  })
}

/** The passages in the reply of a retrieval, best first; null where it has no list. */
function toPassages(reply: unknown): RetrievedPassage[] | null {
  const parsed = contract.adjacent.retrieve.reply.safeParse(reply)
  if (!parsed.success || !parsed.data.records) return null
  return parsed.data.records.flatMap(({ segment, score }): RetrievedPassage[] =>
    segment
      ? [
          {
            segment_id: segment.id,
            document_id: segment.document_id ?? segment.document?.id ?? null,
            score: score ?? null,
          },
        ]
      : [],
  )
}

function toStoredOutcome(call: CallRow): BatchRowOutcome {
  if (call.status === 'succeeded') return toSucceededRow(null, call.duration_ms)
  const problem = call.problem ?? INTERRUPTED_PROBLEM
  return call.status === 'failed' ? toFailedRow(problem, call.duration_ms) : toUnknownRow(problem, call.duration_ms)
}

const INTERRUPTED_PROBLEM: Problem = { kind: 'cut', message: 'The server stopped during this call.' }
const DELETED_PROBLEM: Problem = {
  kind: 'invalid',
  message: 'The suite of this experiment was deleted. Nothing was sent.',
}
