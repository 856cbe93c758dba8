import type { BatchRowInput } from '#contract/console/batches.ts'
import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { toInvalidProblem, type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus, isSuccessStatus, type Run } from '#contract/console/runs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { collectText } from '../ledger/searchText.ts'
import type { LiveRun } from '../runs/liveRun.ts'
import { type FoldState, isAnswerState } from '../ledger/runStatus.ts'
import { toRun } from '../runs/toRun.ts'
import type { RunExecutor } from '../runs/runExecutor.ts'
import type { Vault } from '../vault/vault.ts'
import { classifyFailure } from './retryPolicy.ts'
import type { BatchRowHandler, BatchRowOutcome, LeftRow } from './batchKind.ts'
import type { BatchRecord } from './batchRecord.ts'

/** Characters of the result that are stored with the row; the run has the full text. */
const MAX_EXCERPT_CHARS = 300

/** Rows that are runs of a completion or a workflow. */
export function createRunBatchKind({
  vault,
  executor,
  ledger,
}: {
  vault: Vault
  executor: RunExecutor
  ledger: Ledger
}): BatchRowHandler {
  /** Of a run whose end this server has not written: another one has, or goes on with it, or it is tried again. */
  const findOutcome = async (run_id: string): Promise<BatchRowOutcome | LeftRow> => {
    const call = await ledger.findWithBody(run_id).catch(() => null)
    if (!call || isActiveStatus(call.status)) return { is: 'left' }
    return toOutcome(toRun(call), call.answer as FoldState | null)
  }
  return {
    validate(batch, input) {
      const result = getEntry(batch).body.safeParse(toRequestBody(batch, input))
      return result.success ? null : toInvalidProblem('body', result.error)
    },

    async execute({ batch, number, input, run_id, parent_id }) {
      const workflow_id = batch.settings?.workflow_id
      try {
        const credential = await vault.getCredential(batch.key_id)
        const run = await executor.start({
          run_id,
          entry: batch.entry === 'workflows.run' ? 'workflows.run' : 'completion.send',
          path: workflow_id ? fillPath(contract.adjacent.runVersion.path, { workflow_id }) : getEntry(batch).path,
          ...(workflow_id && { pinned_workflow_id: workflow_id }),
          body: toRequestBody(batch, input),
          person_id: batch.person_id,
          parent_id,
          row: { batch_id: batch.id, number },
          credential,
        })
        const call = run ? null : await ledger.findSummary(run_id)
        if (!run && !call) return { is: 'unsent' }
        if (call) return isActiveStatus(call.status) ? { is: 'left' } : toOutcome(toRun(call), null)
        const end = run && (await waitForEnd(run))
        return end ? toOutcome(end, run.state) : await findOutcome(run_id)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return error.problem.status === 503 ? { is: 'unsent' } : { is: 'refused', problem: error.problem, sent: false }
      }
    },

    resolve(call) {
      if (isActiveStatus(call.status)) return null
      return toOutcome(toRun(call), call.answer as FoldState | null)
    },

    toOutputs({ answer }) {
      const state = answer as FoldState | null
      if (!state) return {}
      const { outputs } = isAnswerState(state) ? state.run : state
      return { ...(isAnswerState(state) ? { answer: state.text } : {}), ...(outputs === null ? {} : { outputs }) }
    },
  }
}

const getEntry = ({ entry }: BatchRecord) =>
  entry === 'workflows.run' ? contract.workflows.run : contract.completion.send

const toRequestBody = ({ settings }: BatchRecord, { inputs, files }: BatchRowInput) => ({
  inputs,
  ...(files ? { files } : {}),
  user: settings?.user,
  response_mode: settings?.response_mode,
})

const waitForEnd = (run: LiveRun): Promise<Run | null> =>
  new Promise((resolve) => {
    run.subscribe((event) => {
      if ('end' in event) resolve(event.end)
    })
  })

function toOutcome(run: Run, state: FoldState | null): BatchRowOutcome {
  const { problem } = run
  const other = (run.status === 'failed' || run.status === 'refused') && problem ? classifyFailure(problem) : null
  if (other) return other
  return {
    is: 'done',
    state: toRowState(run),
    problem: problem ?? toStreamedProblem(run, state) ?? (run.status === 'paused' ? PAUSED_PROBLEM : null),
    result: toExcerpt(state),
    duration_ms: run.duration_ms,
    tokens: run.total_tokens,
    price: run.total_price,
    currency: run.currency,
  }
}

/** The error that came as an event of the stream, or as that of the workflow; the run itself has no problem then. */
function toStreamedProblem({ status }: Run, state: FoldState | null): Problem | null {
  if (status !== 'failed' || !state) return null
  const message = state.problem?.message ?? (isAnswerState(state) ? state.run : state).error
  return message ? { kind: 'refused', message } : null
}

const PAUSED_PROBLEM: Problem = { kind: 'cut', message: 'The workflow is paused and waits for human input.' }

/** A refused row failed; one whose run handled failures has its result. */
function toRowState({ status }: Run): 'succeeded' | 'failed' | 'stopped' | 'unknown' {
  if (isSuccessStatus(status)) return 'succeeded'
  if (status === 'failed' || status === 'refused') return 'failed'
  return status === 'stopped' ? 'stopped' : 'unknown'
}

/** The beginning of an answer, or of the texts and numbers among the outputs. */
function toExcerpt(state: FoldState | null): string | null {
  if (!state) return null
  const outputs = isAnswerState(state) ? state.run.outputs : state.outputs
  const text = state.text || collectText(outputs, MAX_EXCERPT_CHARS * 2)
  return text.trim() === '' ? null : text.slice(0, MAX_EXCERPT_CHARS)
}
