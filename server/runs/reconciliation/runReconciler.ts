import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isUnresolvedStatus } from '#contract/console/runs.ts'
import { MAX_EVENT_BYTES } from '#domain/stream/cutEvent.ts'
import { getEntryFold } from '#domain/stream/eventFolds.ts'
import { asId } from '#domain/stream/untrustedJson.ts'
import { isAbortedResumption, toAbortedResumptionProblem } from '#domain/workflowRun/abortedResumption.ts'
import { hasOpenGap } from '#domain/stream/streamGap.ts'
import { isFinalDetail } from '#domain/workflowRun/runDetail.ts'
import { getRunSeconds } from '#domain/workflowRun/runEnd.ts'
import { emptyRun, type RunDetailSource } from '#domain/workflowRun/runState.ts'
import { withRecordedAnswer } from '#domain/workflowRun/wholeText.ts'
import type { AccessScope } from '../../auth/accessScope.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import type { CallEnd, CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { Vault } from '../../vault/vault.ts'
import { fetchKeptText, fetchRunDetail, type ReconciledRun, applyRunDetailTo } from './fetchRunDetail.ts'
import {
  type FoldState,
  getRunIds,
  getWorkflow,
  isAnswerState,
  isEndCut,
  listRunIds,
  getUsage,
} from '../../ledger/runStatus.ts'
import type { RunOrder } from '../runOrder.ts'
import { applyAcceptedStop, hasAcceptedStop } from '../runStops.ts'
import { getRunTitle } from '../runTitle.ts'

/**
 * Timeout of operation 12 at the end of a run, and retry delays for runs that are still active or paused, in ms: ten
 * minutes in total, since a platform may say `running` forever.
 */
const DETAIL_TIMEOUT_MS = 3_000
const RETRY_DELAYS_MS = [2_000, 10_000, 60_000, 228_000, 300_000]
/**
 * Delays in ms before the platform is asked again for an end that was cut or aborted: it records a run some time
 * after its end.
 */
const CUT_END_DELAYS_MS = [500, 2_000]

export const CUT_END_PROBLEM: Problem = {
  kind: 'mismatch',
  message: `The event with the end of the run is over ${MAX_EVENT_BYTES / 1024 / 1024} MiB. Only its first part was stored.`,
}

interface ReconcilerDeps {
  pool: Pool
  ledger: Ledger
  vault: Vault
  upstream: UpstreamClient
  driftRecorder: DriftRecorder
  log: Logger
  server_id: string
}

/**
 * Calls operation 12 for workflow and chatflow runs without a terminal event and for paused ones, and stores the
 * result with its source.
 */
export class RunReconciler {
  readonly #deps: ReconcilerDeps
  readonly #timers = new Set<NodeJS.Timeout>()
  #isClosing = false

  constructor(parts: ReconcilerDeps) {
    this.#deps = parts
  }

  /**
   * Completes the end of a stream that was interrupted, was cut in its last event, or has a gap, with the platform's
   * record; unchanged if there is none.
   */
  async completeEnd(
    end: CallEnd,
    { credential, run_id, body }: Pick<RunOrder, 'credential' | 'run_id' | 'body'>,
  ): Promise<CallEnd> {
    const state = end.answer as FoldState
    const { workflow_run_id, forms } = getWorkflow(state)
    if (this.#isClosing || workflow_run_id === null) return end
    if (end.status === 'paused') this.#scheduleRetry(run_id, 0)
    const isCut = isEndCut(state)
    const mayBeAborted = end.status === 'stopped' && forms.length > 0
    const detailRequest = { credential, workflow_run_id, run_id, timeoutMs: DETAIL_TIMEOUT_MS }
    if (end.status !== 'interrupted' && !isCut && !mayBeAborted)
      return this.#completeText(end, detailRequest, asId(body.user))
    const status = isCut ? 'unknown' : end.status
    const current = { state, status, problem: end.problem ?? (isCut ? CUT_END_PROBLEM : null), isRemote: false }
    let reconciled = await this.#fetchOrNull(detailRequest, current, asId(body.user))
    const isRecorded = () => (mayBeAborted ? hasStopped(reconciled) : reconciled?.status !== status)
    for (const delayMs of isCut || mayBeAborted ? CUT_END_DELAYS_MS : []) {
      if (isRecorded()) break
      await sleep(delayMs)
      reconciled = await this.#fetchOrNull(detailRequest, current, asId(body.user))
    }
    if (mayBeAborted) {
      const row = await this.#deps.ledger.findSummary(run_id)
      const seen = reconciled && hasStopped(reconciled) ? reconciled : { ...current, reply: null }
      const { duration_ms } = end
      return row && (await this.#isAborted(seen, row))
        ? { ...end, ...toAbortedEnd(seen), duration_ms }
        : this.#completeText(end, detailRequest, asId(body.user))
    }
    const isFinal = reconciled && reconciled.status !== status
    if (isUnresolvedStatus(end.status) && (!isFinal || reconciled?.status === 'paused')) this.#scheduleRetry(run_id, 0)
    return reconciled && isFinal ? { ...end, ...toReconciledEnd(reconciled, current.problem) } : end
  }

  /** Whether operation 12 reports the end of a run; false if it does not respond. */
  hasEnded({ credential, run_id }: Pick<RunOrder, 'credential' | 'run_id'>, workflow_run_id: string): Promise<boolean> {
    return fetchRunDetail({ credential, workflow_run_id, run_id, timeoutMs: DETAIL_TIMEOUT_MS }, this.#deps).then(
      isFinalDetail,
      () => false,
    )
  }

  /** The platform's message list may have the complete answer of a chatflow whose stream and outputs are incomplete. */
  async #completeText(
    end: CallEnd,
    request: Parameters<typeof fetchKeptText>[0],
    user: string | null,
  ): Promise<CallEnd> {
    const state = end.answer as FoldState
    if (end.status === 'paused' || !isAnswerState(state) || !hasOpenGap(state)) return end
    return { ...end, answer: withRecordedAnswer(state, await fetchKeptText(request, state, user, this.#deps)) }
  }

  /** Calls operation 12 for a stored run and stores the result. @throws ProblemError; nothing has changed then */
  async reconcileRun(row: CallRow, givenWorkflowRunId: string | undefined): Promise<void> {
    const { ledger, vault, pool } = this.#deps
    const workflow_run_id = row.workflow_run_id ?? givenWorkflowRunId
    if (!workflow_run_id) throw toBadRequestError('The run has no workflow_run_id. Provide one.')
    const credential = await vault.getCredential(row.key_id)
    const state = (row.answer ?? getEntryFold(row.entry).initial) as FoldState
    const { status } = row
    const source = getWorkflow(state).told
    const problem = row.problem ?? getInterruptedProblem(source)
    const reconciled = await this.#fetch(
      { credential, workflow_run_id, run_id: row.id },
      { state, status, problem, isRemote: source?.elsewhere ?? false },
      row.end_user,
    )
    const end = (await this.#isAborted(reconciled, row))
      ? toAbortedEnd(reconciled)
      : await applyAcceptedStop(pool, row, toReconciledEnd(reconciled, problem), new Date())
    await ledger.reconcileCall(row.id, end)
  }

  /** Whether the platform aborted a run instead of resuming it after a form. */
  async #isAborted({ state, status }: ReconciledRun, row: CallRow): Promise<boolean> {
    const { error, forms } = getWorkflow(state)
    if (status !== 'stopped' || forms.length === 0 || !isAbortedResumption(error, row)) return false
    return !(await hasAcceptedStop(this.#deps.pool, { ...row, ...getRunIds(state) }, new Date()))
  }

  /** Loads a run that was started outside this console, and stores it. @returns its id here. */
  async adoptRun(order: { key: string; workflow_run_id: string; reach: AccessScope }): Promise<string> {
    const { ledger, vault, server_id } = this.#deps
    const { workflow_run_id } = order
    const credential = await vault.getCredential(order.key, order.reach)
    if (credential.kind !== 'workflow')
      throw toBadRequestError(
        `Runs are read with the key of a workflow; “${credential.label}” is a ${credential.kind} key.`,
      )
    const existingRunId = await ledger.findRunIdByResource(credential.key_id, workflow_run_id)
    if (existingRunId) return existingRunId
    const id = toAdoptedRunId(credential.key_id, workflow_run_id)
    const detail = await fetchRunDetail({ credential, workflow_run_id, run_id: id }, this.#deps)
    const state = { ...emptyRun, workflow_run_id }
    const reconciled = applyRunDetailTo(detail, { state, status: 'unknown', problem: null, isRemote: true })
    const { inputs, created_at } = getWorkflow(reconciled.state)
    const startedAt = created_at === null ? new Date() : new Date(created_at * 1000)
    await ledger.insertCall({
      id,
      entry: 'workflows.run',
      status: 'dispatched',
      // The person who loads it did not start it.
      person_id: null,
      workspace_id: credential.workspace_id,
      key_id: credential.key_id,
      params: null,
      request: null,
      request_hash: null,
      response_mode: 'blocking',
      title: getRunTitle({ inputs }),
      end_user: null,
      parent_id: null,
      server_id,
      origin: { kind: 'platform', id: null },
      created_at: Number.isNaN(startedAt.getTime()) ? new Date() : startedAt,
    })
    await ledger.endCall(id, { duration_ms: 0, ...toReconciledEnd(reconciled, null) }, { before: 'active' })
    return id
  }

  close(): void {
    this.#isClosing = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #scheduleRetry(run_id: string, attempt: number): void {
    const delayMs = RETRY_DELAYS_MS[attempt]
    if (delayMs === undefined || this.#isClosing) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#retry(run_id, attempt).catch((err: unknown) =>
        this.#deps.log.warn({ err, run: run_id }, 'reconcile run failed'),
      )
    }, delayMs)
    this.#timers.add(timer.unref())
  }

  async #retry(run_id: string, attempt: number): Promise<void> {
    const row = await this.#deps.ledger.findWithBody(run_id)
    if (!row || !isUnresolvedStatus(row.status)) return
    await this.reconcileRun(row, undefined).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
    })
    this.#scheduleRetry(run_id, attempt + 1)
  }

  /** Operation 12, and for a chatflow the message list. @throws ProblemError as `fetchRunDetail` */
  async #fetch(
    detailRequest: Parameters<typeof fetchRunDetail>[0],
    current: Parameters<typeof applyRunDetailTo>[1],
    user: string | null,
  ): Promise<ReconciledRun> {
    const detail = await fetchRunDetail(detailRequest, this.#deps)
    const { state } = current
    const keptText =
      isAnswerState(state) && isFinalDetail(detail) ? await fetchKeptText(detailRequest, state, user, this.#deps) : null
    return applyRunDetailTo(detail, { ...current, keptText })
  }

  async #fetchOrNull(
    ...parts: [Parameters<typeof fetchRunDetail>[0], Parameters<typeof applyRunDetailTo>[1], string | null]
  ): Promise<ReconciledRun | null> {
    try {
      return await this.#fetch(...parts)
    } catch (error) {
      if (error instanceof ProblemError) return null
      throw error
    }
  }
}

/**
 * The result of operation 12 as the end of a call. The earlier problem is in `told`, and stays if the platform has no
 * result. The duration is that of the run, not of what this console read of it.
 */
function toReconciledEnd(
  { state, status, reply }: ReconciledRun,
  earlier: Problem | null,
): Omit<CallEnd, 'duration_ms'> & { duration_ms?: number } {
  const seconds = isUnresolvedStatus(status) ? null : getRunSeconds(getWorkflow(state))
  return {
    status,
    answer: state,
    reply,
    problem: isUnresolvedStatus(status) && status !== 'paused' ? earlier : null,
    resource_ids: listRunIds(state),
    ...(seconds !== null && { duration_ms: Math.round(seconds * 1000) }),
    ...getRunIds(state),
    ...getUsage(state, status),
  }
}

const hasStopped = (run: ReconciledRun | null): boolean => run !== null && getWorkflow(run.state).status === 'stopped'

const toAbortedEnd = (aborted: ReconciledRun) => ({
  ...toReconciledEnd(aborted, null),
  status: 'failed' as const,
  problem: toAbortedResumptionProblem(getWorkflow(aborted.state).error),
})

/** A run that is reconciled again keeps its first problem. */
const getInterruptedProblem = (source: RunDetailSource | null): Problem | null =>
  source?.because ? { kind: 'cut', message: source.because } : null

const toBadRequestError = (message: string) => new ProblemError({ kind: 'invalid', status: 400, message })

/** The same run adopted twice, even concurrently, is one row. */
function toAdoptedRunId(key_id: string, workflow_run_id: string): string {
  const hex = createHash('sha256').update(`${key_id} ${workflow_run_id}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
