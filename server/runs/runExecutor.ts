import { addAbortListener } from 'node:events'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isActiveStatus, type Run, type RunGap, type RunStatus } from '#contract/console/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { getEntryFold } from '#domain/stream/eventFolds.ts'
import { UNNAMED_EVENT } from '#domain/stream/unknownEvents.ts'
import type { CallEnd, CallRow } from '../ledger/callRow.ts'
import type { DriftRecorder } from '../relay/driftRecorder.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import type { Capabilities } from '../relay/detection/capabilities.ts'
import type { KeyHealth } from '../relay/detection/keyHealth.ts'
import {
  letOthersRun,
  type UpstreamResponse,
  TIMEOUTS_MS,
  mayHaveExecuted,
  createMismatch,
  toErrorReplyProblem,
  toNotJsonProblem,
  parseJson,
  readRedactedText,
  toRefusal,
  type UpstreamClient,
} from '../relay/upstream/upstream.ts'
import { SUBMIT_ENTRY } from './forms/formAnswers.ts'
import type { FrameWriter } from './streaming/frameWriter.ts'
import { LiveRun } from './liveRun.ts'
import { NewUserGate } from './newUserGate.ts'
import { listRunResources } from './runResources.ts'
import { getEndUser, toNewRunCall, hashRunOrder, type RunOrder, toDriftContext } from './runOrder.ts'
import { getRunSeconds } from '#domain/workflowRun/runEnd.ts'
import { findErrorMessage, readInputRefusal } from '#domain/platformErrors/readPlatformError.ts'
import {
  type FoldState,
  getWorkflow,
  type RunIds,
  isCompleteReply,
  isCompleteState,
  mayHaveFurtherEvents,
  toRunStatus,
} from '../ledger/runStatus.ts'
import { applyAcceptedStop } from './runStops.ts'
import { type StreamPosition, StreamReader } from './streaming/streamReader.ts'
import { type FollowResult, followRun } from './resumption/followRun.ts'
import type { ServerLease } from './reconciliation/serverLease.ts'
import { toRun } from './toRun.ts'
import { CUT_END_PROBLEM, type RunReconciler } from './reconciliation/runReconciler.ts'
import type { ServerState } from '../serverState.ts'

/** Delay in ms before each attempt to store the end of a run, and how long a stopping server waits for these writes. */
const END_RETRY_DELAYS_MS = [0, 200, 1_000, 3_000]
const WRITE_TIMEOUT_MS = 2_000

/** A stored run to continue: its known state, and its last frame. */
export interface StoredRun {
  order: RunOrder
  state: FoldState
  position: StreamPosition
  gaps: RunGap[]
}

interface ResumeOptions {
  onFollowed: () => void
  /** Given for a paused run, which becomes active when it continues: ends the following. */
  pauseSignal?: AbortSignal
}

/** Reads each run from the platform to its end, whether or not a browser watches, and stores its frames. */
export class RunExecutor {
  readonly #liveRuns = new Map<string, LiveRun>()
  readonly #starting = new Map<string, Promise<LiveRun | null>>()
  readonly #pool: Pool
  readonly #server_id: string
  readonly #diskSpace: { lockReason: string | null }
  readonly #ledger: Ledger
  readonly #resources: ResourceStore
  readonly #writer: FrameWriter
  readonly #upstream: UpstreamClient
  readonly #reconciler: RunReconciler
  readonly #keyHealth: KeyHealth
  readonly #capabilities: Capabilities
  readonly #driftRecorder: DriftRecorder
  readonly #lease: ServerLease
  readonly #serverState: ServerState
  readonly #log: Logger
  readonly #closeController = new AbortController()
  readonly #newUserGate = new NewUserGate()
  onPaused: (run_id: string) => void = () => undefined

  constructor(deps: {
    pool: Pool
    server_id: string
    diskSpace: { lockReason: string | null }
    ledger: Ledger
    resources: ResourceStore
    writer: FrameWriter
    upstream: UpstreamClient
    reconciler: RunReconciler
    keyHealth: KeyHealth
    capabilities: Capabilities
    driftRecorder: DriftRecorder
    lease: ServerLease
    serverState: ServerState
    log: Logger
  }) {
    this.#pool = deps.pool
    this.#server_id = deps.server_id
    this.#diskSpace = deps.diskSpace
    this.#ledger = deps.ledger
    this.#resources = deps.resources
    this.#writer = deps.writer
    this.#upstream = deps.upstream
    this.#reconciler = deps.reconciler
    this.#keyHealth = deps.keyHealth
    this.#capabilities = deps.capabilities
    this.#driftRecorder = deps.driftRecorder
    this.#lease = deps.lease
    this.#serverState = deps.serverState
    deps.lease.watchRuns({
      listRuns: () => [...this.#liveRuns.keys()],
      onTakenOver: (run_id) => this.#liveRuns.get(run_id)?.abandon(),
    })
    this.#log = deps.log
  }

  get #isClosing(): boolean {
    return this.#closeController.signal.aborted
  }

  get liveRuns(): ReadonlyMap<string, LiveRun> {
    return this.#liveRuns
  }

  /**
   * Writes the row, then calls the platform once. The same id again joins the existing run.
   * @returns the live run; null if the run has ended, lives on another server, or its row was reassigned
   * @throws ProblemError 422 when the id belongs to another request, 503 while the server is stopping
   */
  async start(order: RunOrder): Promise<LiveRun | null> {
    const pendingStart = this.#starting.get(order.run_id)
    const hash = hashRunOrder(order)
    if (pendingStart) return this.#join(order.run_id, hash, await pendingStart)
    const starting = this.#begin(order, hash)
    this.#starting.set(order.run_id, starting)
    try {
      const run = await starting
      return run ?? (await this.#join(order.run_id, hash, null))
    } finally {
      this.#starting.delete(order.run_id)
    }
  }

  async #begin(given: RunOrder, hash: string): Promise<LiveRun | null> {
    const order = (await this.#isStreamedOnly(given)) ? toStreamingOrder(given) : given
    const known = this.#liveRuns.get(order.run_id)
    if (known) return this.#join(order.run_id, hash, known)
    if (this.#isClosing || this.#serverState.current === 'stopping') {
      if (!this.#isClosing && (await this.#ledger.findSummary(order.run_id))) return null
      throw new ProblemError(STOPPING_PROBLEM)
    }
    if (this.#diskSpace.lockReason)
      throw new ProblemError({ kind: 'denied', status: 507, message: this.#diskSpace.lockReason })
    const began = await this.#ledger.insertCall(toNewRunCall(order, hash, this.#server_id))
    if (!began) return null
    const run = new LiveRun(order.run_id, order.credential.workspace_id, getEntryFold(order.entry).initial)
    this.#liveRuns.set(run.id, run)
    void this.#execute(run, order)
    return run
  }

  /**
   * Whether the app is a chatflow whose runs are known to pause for forms: some releases abort a paused run that was
   * started in blocking mode.
   */
  async #isStreamedOnly({ entry, body, origin, credential }: RunOrder): Promise<boolean> {
    if (entry !== 'chat.send' || body.response_mode !== 'blocking' || origin.kind === 'api') return false
    const { workspace_id, key_id } = credential
    const { rows } = await this.#pool.query(
      `SELECT FROM calls WHERE workspace_id = $1 AND entry = '${SUBMIT_ENTRY}' AND key_id = $2
       UNION ALL SELECT FROM calls WHERE workspace_id = $1 AND status = 'paused' AND key_id = $2 LIMIT 1`,
      [workspace_id, key_id],
    )
    return rows.length > 0
  }

  async #join(run_id: string, hash: string, run: LiveRun | null): Promise<LiveRun | null> {
    const row = await this.#ledger.findSummary(run_id)
    if (row && row.request_hash !== hash)
      throw new ProblemError({
        kind: 'invalid',
        status: 422,
        message: 'This Run-Id belongs to another request. Nothing was sent.',
        fields: [{ path: 'headers.run-id', message: 'must be a new id' }],
      })
    return run
  }

  async #execute(run: LiveRun, order: RunOrder): Promise<void> {
    const streamReader = this.#createStreamReader(order, run)
    let end: CallEnd
    try {
      await this.#newUserGate.enter(run, order)
      end = await this.#callPlatform(run, order, streamReader)
    } catch (error) {
      if (!(error instanceof ProblemError)) this.#log.error({ err: error, run: run.id }, 'run failed')
      const caughtProblem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'fault', message: 'The server failed to handle this run.' }
      this.#driftRecorder.recordProblem(toDriftContext(order), caughtProblem)
      void this.#keyHealth.recordProblem(order.credential, caughtProblem, RUN_REQUEST)
      const problem = this.#isClosing && caughtProblem.kind === 'cut' ? STOPPED_PROBLEM : caughtProblem
      end = streamReader.toCallEnd(toFailedStatus(problem, order), problem)
    }
    if (end.status === 'interrupted') end = await this.#takeUp(run, order, streamReader, end)
    if (end.problem) run.setFirstReply({ problem: end.problem })
    await this.#finish(run, order, await this.#completeEnd(end, order))
  }

  #createStreamReader(order: RunOrder, run: LiveRun, position?: StreamPosition): StreamReader {
    const observe = (event: unknown) => this.#driftRecorder.recordEvent(toDriftContext(order), event)
    const streamReader = new StreamReader(order, run, this.#writer, observe, position && { position })
    const onError = (err: unknown) => this.#log.error({ err, run: run.id }, 'write gaps failed')
    streamReader.onGap = () => void this.#ledger.updateGaps(run.id, streamReader.gaps).catch(onError)
    return streamReader
  }

  /** Resumes a run whose stream broke, if the platform still has it. @returns its end, which may be the given one */
  async #takeUp(run: LiveRun, order: RunOrder, streamReader: StreamReader, end: CallEnd): Promise<CallEnd> {
    const hasBrokenOff = !end.problem || end.problem.kind === 'cut' || end.problem.kind === 'late'
    if (!hasBrokenOff || !mayHaveFurtherEvents(run.state)) return end
    const onRunIds = (ids: RunIds) => this.#onRunIds(run, order, ids)
    const signal = AbortSignal.any([this.#closeController.signal, run.abandoned])
    const hasEnded = () => this.#reconciler.hasEnded(order, getWorkflow(run.state).workflow_run_id ?? '')
    const result = await followRun({ order, run, streamReader, onRunIds, signal, hasEnded }, this.#upstream)
    return result === 'over'
      ? this.#toStreamEnd(run, streamReader, null)
      : { ...end, frames: streamReader.lastSeq, gaps: streamReader.gaps }
  }

  /**
   * Continues a stored run that this server has just taken over: one of a crashed server or, with `pauseSignal`, a
   * paused one.
   * @returns how its events were followed; the run is stored as ended only after `over`
   */
  async resume(
    { order, state, position, gaps }: StoredRun,
    { onFollowed, pauseSignal }: ResumeOptions,
  ): Promise<FollowResult> {
    const run = new LiveRun(order.run_id, order.credential.workspace_id, state)
    run.hasNoFrames = position.seq === 0
    const streamReader = this.#createStreamReader(order, run, position)
    streamReader.gaps = gaps
    const resumptions: Promise<unknown>[] = []
    const begin = () => {
      this.#liveRuns.set(run.id, run)
      run.setFirstReply({ stream: true })
    }
    const onResumed = () => {
      begin()
      resumptions.push(
        this.#ledger
          .resumeCall(run.id, this.#server_id)
          .then((isOwn) => isOwn || run.abandon())
          .catch((err: unknown) => this.#log.error({ err, run: run.id }, 'resume run failed')),
      )
    }
    if (!pauseSignal) begin()
    const result = await followRun(
      {
        order,
        run,
        streamReader,
        onRunIds: (ids) => this.#onRunIds(run, order, ids),
        hasEnded: () => this.#reconciler.hasEnded(order, getWorkflow(run.state).workflow_run_id ?? ''),
        signal: AbortSignal.any([this.#closeController.signal, run.abandoned, ...(pauseSignal ? [pauseSignal] : [])]),
        onFollowed,
        ...(pauseSignal && { onResumed }),
      },
      this.#upstream,
    )
    await Promise.all(resumptions)
    if (result === 'over')
      await this.#finish(run, order, await this.#completeEnd(this.#toStreamEnd(run, streamReader, null), order))
    else if (resumptions.length > 0 && result !== 'stopped') {
      // It continued, so its row belongs to this server, and no other server looks up its end.
      const problem = streamReader.writeError ? NOT_STORED_PROBLEM : LOST_PROBLEM
      await this.#finish(run, order, await this.#completeEnd(streamReader.toCallEnd('interrupted', problem), order))
    } else {
      this.#liveRuns.delete(run.id)
      run.finish(null)
    }
    return result
  }

  async #callPlatform(run: LiveRun, order: RunOrder, streamReader: StreamReader): Promise<CallEnd> {
    const isStreaming = order.body.response_mode === 'streaming'
    const response = await this.#upstream.send(
      order.credential,
      {
        method: 'POST',
        path: order.path,
        body: JSON.stringify(order.body),
        contentType: 'application/json',
        accept: isStreaming ? 'text/event-stream' : 'application/json',
        timeoutMs: isStreaming ? TIMEOUTS_MS.stream : TIMEOUTS_MS.blocking,
        person_id: order.person_id,
      },
      run.id,
    )
    streamReader.platformVersion = response.version
    if (response.status < 200 || response.status >= 300) {
      const problem = await toRefusal(response)
      this.#recordOutcome(order, response, problem.upstream?.body)
      void this.#keyHealth.recordProblem(order.credential, problem, RUN_REQUEST)
      this.#driftRecorder.recordProblem(toDriftContext(order), problem)
      return { ...streamReader.toCallEnd(toFailedStatus(problem, order), problem), http_status: response.status }
    }
    this.#recordOutcome(order, response, null)
    void this.#keyHealth.recordSuccess(order.credential, response.latency_ms, true)
    if (!/^\s*text\/event-stream\b/i.test(response.contentType))
      return this.#readBlockingReply(run, order, response, streamReader)
    run.setFirstReply({ stream: true })
    addAbortListener(run.abandoned, () => response.body.destroy())
    const problem = await streamReader.read(response, (ids) => this.#onRunIds(run, order, ids, response.version))
    if (streamReader.hasRedacted) response.redactor.reportExposure()
    if (streamReader.writeError) this.#log.error({ err: streamReader.writeError, run: run.id }, 'write frames failed')
    return { ...this.#toStreamEnd(run, streamReader, problem), http_status: response.status }
  }

  #recordOutcome(order: RunOrder, { status, version }: UpstreamResponse, reply: unknown): void {
    const { credential, entry, body, pinned_workflow_id } = order
    this.#capabilities.recordOutcome(
      credential,
      pinned_workflow_id ? 'adjacent.runVersion' : entry,
      { params: pinned_workflow_id ? { workflow_id: pinned_workflow_id } : {}, query: null, body },
      { status, body: reply, version },
    )
  }

  /** A connection lost after the terminal event is no error; frames that could not be stored are. */
  #toStreamEnd(run: LiveRun, streamReader: StreamReader, problem: Problem | null): CallEnd {
    if (!problem || (isCompleteState(run.state) && problem.kind !== 'fault')) {
      const status = toRunStatus(run.state)
      const end = streamReader.toCallEnd(status, toStreamProblem(status, run.state))
      const recordedMs = (getRunSeconds(getWorkflow(run.state)) ?? Infinity) * 1000
      // Whether it ended before it was resumed.
      const hasEndedUnseen = recordedMs < (streamReader.gaps.at(-1)?.to_ms ?? 0)
      return hasEndedUnseen ? { ...end, duration_ms: Math.round(recordedMs) } : end
    }
    return streamReader.toCallEnd('interrupted', this.#isClosing && problem.kind === 'cut' ? STOPPED_PROBLEM : problem)
  }

  /** A blocking reply, also to a streaming request. */
  async #readBlockingReply(
    run: LiveRun,
    order: RunOrder,
    response: UpstreamResponse,
    streamReader: StreamReader,
  ): Promise<CallEnd> {
    const text = await readRedactedText(response)
    const isStreaming = order.body.response_mode === 'streaming'
    const reply = parseJson(text)
    if (typeof reply !== 'object' || reply === null)
      throw new ProblemError(toNotJsonProblem(response, text, isStreaming ? 'a stream' : 'a JSON object'))
    await letOthersRun(text.length)
    this.#driftRecorder.recordReply(toDriftContext(order), response.status, reply)
    run.state = streamReader.foldReply(reply, Buffer.byteLength(text))
    await letOthersRun(text.length)
    run.setFirstReply({ text })
    if (isCompleteReply(run.state))
      return { ...streamReader.toCallEnd(toRunStatus(run.state), null), http_status: response.status, reply }
    const problem = toErrorReplyProblem(response.status, reply, text) ?? toNoAnswerProblem(response.status, reply, text)
    return { ...streamReader.toCallEnd(toFailedStatus(problem, order), problem), http_status: response.status, reply }
  }

  /**
   * Completes the end before it is stored. If the stream of a workflow or chatflow broke, operation 12 has its final
   * state; a run that our stop ended is stopped, whatever its stream says.
   */
  async #completeEnd(streamEnd: CallEnd, order: RunOrder): Promise<CallEnd> {
    const endedAt = new Date()
    let end = streamEnd
    try {
      end = await this.#reconciler.completeEnd(end, order)
      const { workspace_id } = order.credential
      return await applyAcceptedStop(this.#pool, { workspace_id, end_user: getEndUser(order) }, end, endedAt)
    } catch (err) {
      this.#log.error({ err, run: order.run_id }, 'complete run end failed')
      return end
    }
  }

  #onRunIds(run: LiveRun, order: RunOrder, ids: RunIds, version: string | null = null): void {
    const resources = listRunResources(run.state, order)
    // Resources last: the first frame would wait for them on the single connection of the embedded database.
    void this.#ledger
      .updateRunIds(run.id, ids, version)
      .catch((error: unknown) => this.#log.error({ err: error }, 'write run ids failed'))
      .then(() => this.#resources.record(run.workspace_id, resources))
  }

  async #finish(run: LiveRun, order: RunOrder, end: CallEnd): Promise<void> {
    try {
      this.#resources.record(run.workspace_id, listRunResources(run.state, order))
      // The next server resumes it, or the server that took it over continues.
      const isLeft =
        (this.#isClosing && end.status === 'interrupted' && mayHaveFurtherEvents(run.state)) || run.abandoned.aborted
      run.finish(isLeft ? null : await this.#writeEnd(run.id, end))
      if (end.status === 'paused' && !isLeft) this.onPaused(run.id)
    } catch (error) {
      this.#log.error({ err: error, run: run.id }, 'write run end failed')
      run.setFirstReply({ problem: { kind: 'fault', message: 'The end of this run could not be saved.' } })
      run.finish(null)
      void this.#writeLater(run.id, withoutBodies(end))
    } finally {
      this.#liveRuns.delete(run.id)
    }
  }

  /**
   * Retries to store the end of a run. The last two attempts omit the large columns, which may be too much for the
   * database: the frames contain them.
   */
  async #writeEnd(run_id: string, end: CallEnd): Promise<Run | null> {
    for (const [attempt, delayMs] of END_RETRY_DELAYS_MS.entries()) {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      try {
        await this.#lease.whenValid()
        const row = await this.#ledger.endCall(
          run_id,
          attempt < END_RETRY_DELAYS_MS.length / 2 ? end : withoutBodies(end),
          { before: 'active_or_paused', owner: this.#server_id },
        )
        // An earlier attempt may have been stored without a confirmation.
        const stored = row ?? (attempt > 0 ? await this.#findOwnEnd(run_id) : null)
        return stored && toRun(stored)
      } catch (err) {
        this.#log.warn({ err, run: run_id, attempt }, 'write run end failed, retrying')
      }
    }
    throw new Error(`not written in ${END_RETRY_DELAYS_MS.length} attempts`)
  }

  async #findOwnEnd(run_id: string): Promise<CallRow | null> {
    const row = await this.#ledger.findSummary(run_id)
    return row && row.server_id === this.#server_id && !isActiveStatus(row.status) ? row : null
  }

  async #writeLater(run_id: string, end: CallEnd): Promise<void> {
    const options = { before: 'active_or_paused', owner: this.#server_id } as const
    if (await this.#ledger.retryEndCall(run_id, end, options))
      this.#log.warn({ run: run_id }, 'run end written after retries')
  }

  /** Resolves when no run is active, or after `timeoutMs`. */
  async waitForRuns(timeoutMs: number): Promise<void> {
    await Promise.race([this.#whenIdle(), sleep(timeoutMs)])
  }

  /** Refuses new runs and waits for active ones, at most `timeoutMs`; the rest end as interrupted. */
  async close(timeoutMs: number): Promise<void> {
    this.#closeController.abort()
    this.#reconciler.close()
    await this.waitForRuns(timeoutMs)
    await this.#upstream.close()
    await Promise.race([this.#whenIdle(), sleep(WRITE_TIMEOUT_MS)])
  }

  /** Resolves when no run is active and no row of a run is being inserted. */
  async #whenIdle(): Promise<void> {
    while (this.#starting.size + this.#liveRuns.size > 0) {
      await Promise.allSettled([...this.#starting.values()])
      await Promise.all([...this.#liveRuns.values()].map((run) => run.ended))
    }
  }
}

/**
 * For the health of the key: an interrupted answer does not mean an unreachable platform, and only a key of this kind
 * can make the request.
 */
const RUN_REQUEST = { isRead: false, isOwnKind: true }

const toStreamingOrder = (order: RunOrder): RunOrder => ({
  ...order,
  body: { ...order.body, response_mode: 'streaming' },
})

const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time).unref())

/** A run with its `Run-Id` may be sent again at once: a balancer picks another server. */
const STOPPING_PROBLEM: Problem = {
  kind: 'fault',
  status: 503,
  message: 'The server is stopping. Nothing was sent.',
  retry_after: 1,
}

const LOST_PROBLEM: Problem = {
  kind: 'cut',
  message: 'The run continued, but its events could not be read to the end.',
}

const NOT_STORED_PROBLEM: Problem = { kind: 'fault', message: 'The run continued, but its events could not be stored.' }

const STOPPED_PROBLEM: Problem = { kind: 'cut', message: 'The server stopped during this run.' }

const withoutBodies = (end: CallEnd): CallEnd => ({
  ...end,
  answer: null,
  reply: null,
  problem: { kind: 'fault', message: 'The result of this run could not be saved. Its frames are stored.' },
})

function toStreamProblem(status: RunStatus, state: FoldState): Problem | null {
  if (status === 'refused')
    return { kind: 'refused', message: getWorkflow(state).error ?? 'The platform refused the inputs.' }
  if (status === 'unknown') return CUT_END_PROBLEM
  const unnamed = status === 'interrupted' && state.unknown.find(({ event }) => event === UNNAMED_EVENT)
  const words = unnamed ? findErrorMessage(unnamed.sample) : null
  return words === null ? null : { kind: 'cut', message: `The platform ended the stream with an error: “${words}”.` }
}

const toNoAnswerProblem = (status: number, reply: object, text: string): Problem =>
  createMismatch('The platform’s response contains no answer', findErrorMessage(reply), { status, text })

function toFailedStatus(problem: Problem, order: RunOrder): CallEnd['status'] {
  if (problem.kind === 'refused' && readInputRefusal(problem.message)) return 'refused'
  if (!mayHaveExecuted(problem)) return 'failed'
  return order.body.response_mode === 'blocking' ? 'unknown' : 'interrupted'
}
