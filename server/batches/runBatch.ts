import { z } from 'zod'
import type { BatchRowInput } from '#contract/console/batches.ts'
import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { toInvalidProblem, type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus, isSuccessStatus, type Run } from '#contract/console/runs.ts'
import { explainErrorCode } from '#domain/platformErrors/readPlatformError.ts'
import { findEndMark } from '#domain/workflowRun/endCauses.ts'
import { getFailureMessage } from '../ledger/callColumns.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { collectText } from '../ledger/searchText.ts'
import type { LiveRun } from '../runs/liveRun.ts'
import { type FoldState, isAnswerState, toGeneratingEntry } from '../ledger/runStatus.ts'
import { toRun } from '../runs/toRun.ts'
import type { RunExecutor } from '../runs/runExecutor.ts'
import type { Vault } from '../vault/vault.ts'
import { classifyFailure } from './retryPolicy.ts'
import {
  type BatchRowEnd,
  type BatchRowHandler,
  type BatchRowOutcome,
  type BatchTurn,
  type CallRowHandler,
  getRowTarget,
  type LeftRow,
  type RowTarget,
} from './batchKind.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Characters of the result that are stored with the row; the run has the full text. */
const MAX_EXCERPT_CHARS = 300

/** Rows that are runs of a chat, a completion or a workflow. A row of a chat is one conversation, and a run for each of its turns. */
export function createRunBatchKind({
  vault,
  executor,
  ledger,
}: {
  vault: Vault
  executor: RunExecutor
  ledger: Ledger
}): CallRowHandler {
  /**
   * For a run whose end this server has not written: another server has written it, or continues it, or writing is
   * retried.
   */
  const findOutcome = async (run_id: string, turn: BatchTurn): Promise<BatchRowOutcome | LeftRow> => {
    const call = await ledger.findWithBody(run_id).catch(() => null)
    if (!call || isActiveStatus(call.status)) return { is: 'left' }
    return toOutcome(toRun(call), call.answer as FoldState | null, turn)
  }
  return {
    validate(target, input) {
      const isChat = target.entry === 'chat.send'
      if (isChat !== (input.turns !== undefined))
        return { kind: 'invalid', message: isChat ? 'turns: a chat needs a question' : 'turns: only a chat has them' }
      const bodies = (input.turns ?? [null]).map((_, index) => toRequestBody(target, input, toFirstTurn(index)))
      const result = z.array<z.ZodType>(getEntry(target).body).safeParse(bodies)
      return result.success ? null : toInvalidProblem('body', result.error)
    },

    async execute(task) {
      const { batch, number, input, run_id, parent_id, turn } = task
      const target = getRowTarget(task)
      const pathVersion = target.entry === 'workflows.run' ? target.settings?.workflow_id : undefined
      try {
        const credential = await vault.getCredential(target.key_id)
        const run = await executor.start({
          run_id,
          entry: toGeneratingEntry(target.entry),
          path: pathVersion
            ? fillPath(contract.adjacent.runVersion.path, { workflow_id: pathVersion })
            : getEntry(target).path,
          ...(pathVersion && { pinned_workflow_id: pathVersion }),
          body: toRequestBody(target, input, turn),
          person_id: batch.kind === 'board' ? batch.started_by : batch.person_id,
          parent_id,
          origin: { kind: batch.kind === 'board' ? 'board' : 'batch', id: batch.id },
          row: { batch_id: batch.id, number },
          credential,
        })
        const call = run ? null : await ledger.findSummary(run_id)
        if (!run && !call) return { is: 'unsent' }
        if (call) return isActiveStatus(call.status) ? { is: 'left' } : await findOutcome(run_id, turn)
        const end = run && (await waitForEnd(run))
        return end ? toOutcome(end, run.state, turn) : await findOutcome(run_id, turn)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return error.problem.status === 503 ? { is: 'unsent' } : { is: 'refused', problem: error.problem, sent: false }
      }
    },

    resolve(call, turn) {
      if (isActiveStatus(call.status)) return null
      return toOutcome(toRun(call), call.answer as FoldState | null, turn)
    },

    toOutputs({ answer }) {
      const state = answer as FoldState | null
      if (!state) return {}
      const { outputs } = isAnswerState(state) ? state.run : state
      return { ...(isAnswerState(state) ? { answer: state.text } : {}), ...(outputs === null ? {} : { outputs }) }
    },
  }
}

/**
 * Rounds of a board: rows with a key each. A platform that refuses one, or cannot be reached, fails that round alone, since the
 * next one may be another platform's.
 */
export function createBoardKind(runs: BatchRowHandler): BatchRowHandler {
  return {
    execute: async (task) => toRoundOutcome(await runs.execute(task)),
    resolve: async (call, turn, row) => {
      const outcome = await runs.resolve?.(call, turn, row)
      return outcome ? toRoundOutcome(outcome) : null
    },
  }
}

function toRoundOutcome<Outcome extends BatchRowOutcome | LeftRow>(outcome: Outcome): Outcome | BatchRowOutcome {
  const isFinal = outcome.is === 'refused' || (outcome.is === 'again' && outcome.problem.kind === 'unreachable')
  return isFinal
    ? {
        is: 'done',
        state: 'failed',
        problem: outcome.problem,
        result: null,
        duration_ms: null,
        tokens: null,
        price: null,
        currency: null,
      }
    : outcome
}

const getEntry = ({ entry }: RowTarget) =>
  entry === 'workflows.run'
    ? contract.workflows.run
    : entry === 'chat.send'
      ? contract.chat.send
      : contract.completion.send

const toFirstTurn = (index: number): BatchTurn => ({ index, count: index + 1, conversation_id: null })

/**
 * Files belong to the first question of a conversation. The platform does not name conversations of a batch, which
 * could cost tokens.
 */
const toRequestBody = (
  { entry, settings }: RowTarget,
  { inputs, files, turns }: BatchRowInput,
  turn: BatchTurn,
): Record<string, unknown> => ({
  inputs,
  ...(files && turn.index === 0 ? { files } : {}),
  user: settings?.user,
  response_mode: settings?.response_mode,
  ...(entry === 'chat.send' && {
    query: turns?.[turn.index],
    auto_generate_name: false,
    ...(turn.conversation_id && { conversation_id: turn.conversation_id }),
    ...(settings?.workflow_id && { workflow_id: settings.workflow_id }),
  }),
})

const waitForEnd = (run: LiveRun): Promise<Run | null> =>
  new Promise((resolve) => {
    run.subscribe((event) => {
      if ('end' in event) resolve(event.end)
    })
  })

function toOutcome(run: Run, state: FoldState | null, turn: BatchTurn): BatchRowOutcome {
  const { problem } = run
  const other = (run.status === 'failed' || run.status === 'refused') && problem ? classifyFailure(problem) : null
  if (other) return other
  const end: BatchRowEnd = {
    state: toRowState(run),
    problem: problem ?? toStreamedProblem(run, state) ?? (run.status === 'paused' ? PAUSED_PROBLEM : null),
    result: toExcerpt(state),
    duration_ms: run.duration_ms,
    tokens: run.total_tokens,
    price: run.total_price,
    currency: run.currency,
  }
  if (end.state !== 'succeeded' || turn.index + 1 >= turn.count) return { is: 'done', ...end }
  const conversation_id = turn.conversation_id ?? run.conversation_id
  return conversation_id
    ? { is: 'next', conversation_id, ...end, problem: null }
    : { is: 'done', ...end, state: 'failed', problem: NO_CONVERSATION_PROBLEM }
}

const NO_CONVERSATION_PROBLEM: Problem = {
  kind: 'mismatch',
  message: 'The answer named no conversation, so the next turn could not be sent.',
}

/** Why a run without a problem of its own failed, was stopped by the platform, or may be cut. */
function toStreamedProblem({ status }: Run, answer: FoldState | null): Problem | null {
  if (status === 'succeeded') return answer && findEndMark(answer)?.cause === 'unmeasured' ? UNMEASURED_PROBLEM : null
  if (status !== 'failed' && status !== 'stopped') return null
  const { code = null, message: said = null } = answer?.problem ?? {}
  const message = explainErrorCode(code, said) ?? getFailureMessage({ status, answer })
  return message ? { kind: 'refused', message } : null
}

const UNMEASURED_PROBLEM: Problem = {
  kind: 'cut',
  message: 'The answer ended without usage figures and may be cut.',
}

const PAUSED_PROBLEM: Problem = { kind: 'cut', message: 'The workflow is paused and waits for human input.' }

/** A refused row failed; one whose run handled failures has its result. */
function toRowState({ status }: Run): 'succeeded' | 'failed' | 'stopped' | 'unknown' {
  if (isSuccessStatus(status)) return 'succeeded'
  if (status === 'failed' || status === 'refused') return 'failed'
  return status === 'stopped' ? 'stopped' : 'unknown'
}

function toExcerpt(state: FoldState | null): string | null {
  if (!state) return null
  const outputs = isAnswerState(state) ? state.run.outputs : state.outputs
  const text = state.text || collectText(outputs, MAX_EXCERPT_CHARS * 2)
  return text.trim() === '' ? null : truncateText(text, MAX_EXCERPT_CHARS)
}
