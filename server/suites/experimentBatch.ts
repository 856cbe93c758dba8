import { fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import type { RetrievedPassage } from '#contract/console/suites.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import type {
  BatchRowHandler,
  BatchRowOutcome,
  BatchTask,
  BatchTurn,
  CallRowHandler,
  LeftRow,
} from '../batches/batchKind.ts'
import { type RowCallDeps, sendRowCall, toFailedRow, toSucceededRow, toUnknownRow } from '../batches/rowCall.ts'
import { isConnectionError } from '../db/connectionErrors.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { type FoldState, isAnswerState } from '../ledger/runStatus.ts'
import { adaptRequestBody } from '../relay/detection/dialect.ts'
import type { Vault } from '../vault/vault.ts'
import { readCheckedRun } from './checkedRun.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprintRecorder.ts'
import { addJudgeUsage, type JudgeRuns } from './judge/judgeRuns.ts'
import { judgeResult, listJudgeChecks } from './judge/judgeResult.ts'
import { evaluateResult, type ExperimentResults, type ExperimentRow, FAILED_EVALUATION } from './experimentResults.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

interface ExperimentBatchDeps extends RowCallDeps {
  vault: Vault
  results: ExperimentResults
  runs: CallRowHandler
  judges: JudgeRuns
  fingerprints: FingerprintRecorder
}

interface RowPlace {
  batch_id: string
  number: number
  run_id: string
}

/** The outcome of a row, with the texts of the passages found. */
interface RowResult extends Pick<CheckedResult, 'found' | 'run'> {
  passages: string[] | null
}

/**
 * Rows that are cases of a suite. Verdicts are written before the row ends, so that an ended row has its verdicts;
 * after a crash in between they are computed again from the ledger. Judges run in between, and their usage counts for
 * the row.
 */
export function createExperimentBatchKind(deps: ExperimentBatchDeps): BatchRowHandler {
  const { results, vault, runs, ledger, judges } = deps
  const resolving = new BackgroundOutcomes()
  const evaluate = async (
    place: RowPlace,
    outcome: BatchRowOutcome,
    row: ExperimentRow,
    { passages, ...result }: RowResult,
  ): Promise<BatchRowOutcome | LeftRow> => {
    if (outcome.is !== 'done' || outcome.state === 'stopped') return outcome
    const { batch_id, number } = place
    const { checks, expected, target } = row
    if (outcome.state === 'succeeded' || (target.source === 'app' && result.run)) {
      const judged = isJudged(outcome, row)
        ? await judgeResult({ judges, results, ledger }, place, row, { run: result.run, passages })
        : null
      if (judged === 'left') return { is: 'left' }
      const judgements = judged ? { judgements: judged.judgements } : {}
      await results.write(batch_id, number, await evaluateResult(checks, { expected, ...result, ...judgements }))
      return judged ? addJudgeUsage(outcome, judged.usage) : outcome
    }
    if (outcome.state === 'failed') await results.write(batch_id, number, FAILED_EVALUATION)
    return outcome
  }
  /** For the last turn of a conversation; one that broke off earlier has no answer to check. */
  const evaluateRun = async (
    place: RowPlace,
    outcome: BatchRowOutcome,
    row: ExperimentRow,
    call: CallRow | null,
    turn: BatchTurn,
  ): Promise<BatchRowOutcome | LeftRow> => {
    const isLast = turn.index + 1 >= turn.count
    const run = call && isLast ? await readCheckedRun(ledger, call, row.checks) : null
    return evaluate(place, outcome, row, { ...toSources(call?.answer), run })
  }
  /** Judges may take minutes while the queue continues with other rows: the outcome is available at a later check. */
  const resolveJudged = (
    run_id: string,
    outcome: BatchRowOutcome,
    row: ExperimentRow,
    evaluation: () => Promise<BatchRowOutcome | LeftRow>,
  ) => (isJudged(outcome, row) ? resolving.take(run_id, evaluation) : evaluation().then(withoutLeft))
  return {
    async execute(task) {
      const place = { batch_id: task.batch.id, number: task.number, run_id: task.run_id }
      const row = await results.findRow(place.batch_id, place.number)
      if (!row) return { is: 'refused', problem: DELETED_PROBLEM, sent: false }
      if (isRunSource(row)) {
        const outcome = await runs.execute(task)
        if (outcome.is !== 'done') return outcome
        return leaveWithoutDatabase(async () =>
          evaluateRun(place, outcome, row, await ledger.findWithBody(task.run_id), task.turn),
        )
      }
      try {
        const sent = await sendRetrieval(task, row, await vault.getCredential(row.target.key), deps)
        return await leaveWithoutDatabase(() =>
          'is' in sent
            ? evaluate(place, sent, row, toRetrieval(null))
            : evaluate(place, toSucceededRow(null, sent.duration_ms), row, toRetrieval(sent.reply)),
        )
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },

    async resolve(call, turn, { batch_id, number }) {
      if (isActiveStatus(call.status)) return null
      const place = { batch_id, number, run_id: call.id }
      const row = await results.findRow(batch_id, number)
      if (!row || !isRunSource(row)) {
        const outcome = toStoredOutcome(call)
        if (!row) return outcome
        return resolveJudged(call.id, outcome, row, () => evaluate(place, outcome, row, toRetrieval(call.reply)))
      }
      const outcome = await runs.resolve(call, turn, place)
      if (!outcome) return null
      return resolveJudged(call.id, outcome, row, () => evaluateRun(place, outcome, row, call, turn))
    },

    onEnded: (batch_id) => deps.fingerprints.recordEnd(batch_id),

    toOutputs: ({ answer, reply }) =>
      answer
        ? runs.toOutputs({ answer, reply })
        : { segments: toPassages(reply)?.map(({ segment_id }) => segment_id) ?? null },
  }
}

/** A row that was sent but cannot be evaluated during a database outage is resolved from the ledger, as after a crash. */
async function leaveWithoutDatabase(
  evaluation: () => Promise<BatchRowOutcome | LeftRow>,
): Promise<BatchRowOutcome | LeftRow> {
  try {
    return await evaluation()
  } catch (error) {
    if (isConnectionError(error)) return { is: 'left' }
    throw error
  }
}

const isRunSource = ({ target }: ExperimentRow): boolean => target.source === 'chat' || target.source === 'app'

const isJudged = (outcome: BatchRowOutcome, { checks }: ExperimentRow): boolean =>
  outcome.is === 'done' && outcome.state === 'succeeded' && listJudgeChecks(checks).length > 0

const withoutLeft = (outcome: BatchRowOutcome | LeftRow): BatchRowOutcome | null =>
  outcome.is === 'left' ? null : outcome

const toRetrieval = (reply: unknown): RowResult => ({
  found: toPassages(reply),
  passages: toPassageTexts(reply),
  run: null,
})

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
      const parsed = parseBySchema(contract.adjacent.retrieve.reply, reply)
      return parsed.success
        ? contract.adjacent.retrieve.resources(parsed.data, { params: { dataset_id }, query: undefined, body })
        : []
    },
  })
}

/** The passages in the reply of a retrieval, best first; null without a list. */
function toPassages(reply: unknown): RetrievedPassage[] | null {
  const parsed = parseBySchema(contract.adjacent.retrieve.reply, reply)
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

function toPassageTexts(reply: unknown): string[] | null {
  const parsed = parseBySchema(contract.adjacent.retrieve.reply, reply)
  return parsed.data?.records?.flatMap(({ segment }) => segment?.content ?? []) ?? null
}

/** The sources of an app's answer, best first; null if there is no answer. */
function toSources(answer: unknown): Pick<RowResult, 'found' | 'passages'> {
  const state = answer as FoldState | null | undefined
  if (!state || !isAnswerState(state)) return { found: null, passages: null }
  const found = state.sources.flatMap(({ segment_id, document_id, score }): RetrievedPassage[] =>
    segment_id ? [{ segment_id, document_id: document_id ?? null, score: score ?? null }] : [],
  )
  const passages = state.sources.flatMap(({ content }) => content ?? [])
  return { found, passages: passages.length > 0 ? passages : null }
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

/** Outcomes that are computed while the queue continues. */
class BackgroundOutcomes {
  readonly #pending = new Map<string, { outcome: BatchRowOutcome | null; error?: unknown }>()

  /**
   * Starts the work unless it was started.
   * @returns the outcome; null until it is available
   * @throws the error of the work; the next call starts it again
   */
  take(id: string, work: () => Promise<BatchRowOutcome | LeftRow>): BatchRowOutcome | null {
    const known = this.#pending.get(id)
    if (!known) {
      this.#pending.set(id, { outcome: null })
      work().then(
        (outcome) => (outcome.is === 'left' ? void this.#pending.delete(id) : void this.#pending.set(id, { outcome })),
        (error: unknown) => void this.#pending.set(id, { outcome: null, error }),
      )
      return null
    }
    if (known.outcome === null && !('error' in known)) return null
    this.#pending.delete(id)
    if ('error' in known) throw known.error
    return known.outcome
  }
}
