import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, getWorkflow, mayHaveFurtherEvents } from '../../ledger/runStatus.ts'
import type { Vault } from '../../vault/vault.ts'
import { refoldRun } from '../reconciliation/refoldRun.ts'
import type { RunReconciler } from '../reconciliation/runReconciler.ts'
import type { ServerLease } from '../reconciliation/serverLease.ts'
import type { RunExecutor, StoredRun } from '../runExecutor.ts'
import type { RunOrder } from '../runOrder.ts'

/** Maximum paused runs that one server follows: each is a connection to a platform. */
const MAX_FOLLOWED_RUNS = 200
/** Milliseconds between two searches for paused runs that no server follows, such as those of a stopped one. */
const SEARCH_INTERVAL_MS = 10_000
/** Maximum wait in ms of an answer to a form until its run is followed. */
const FOLLOW_TIMEOUT_MS = 3_000
/** Milliseconds between two lookups of a paused run whose events the platform does not offer. */
const POLL_INTERVAL_MS = 60_000
/** How long (ms) a paused run is followed after the deadline of its forms. */
const DEADLINE_MARGIN_MS = 60 * 60_000

type RefoldedRun = Awaited<ReturnType<typeof refoldRun>>

interface FollowedPause {
  controller: AbortController
  /** Resolves once further events of the run are received, or cannot be. */
  followed: Promise<void>
}

/**
 * Continues the runs that a platform still has: those of a crashed server, and those that are paused until a person
 * answers. One server follows a run: the one whose id is in its row.
 */
export class RunResumption {
  readonly #deps: ConstructorParameters<typeof RunResumption>[0]
  readonly #pauses = new Map<string, FollowedPause>()
  /** The time of the next lookup of a paused run (epoch ms). */
  readonly #polls = new Map<string, number>()
  readonly #polledWorkspaces = new Set<string>()
  /** Paused runs whose events the platform does not offer. */
  readonly #unfollowable = new Set<string>()
  readonly #searchJob: BackgroundJob

  constructor(deps: {
    lease: Pick<ServerLease, 'silentAfterMs' | 'watchRuns' | 'setOwn'>
    ledger: Ledger
    vault: Vault
    executor: RunExecutor
    reconciler: RunReconciler
    server_id: string
    log: Logger
  }) {
    this.#deps = deps
    this.#searchJob = new BackgroundJob({
      run: () => this.#followPausedRuns(),
      onError: (err) => deps.log.error({ err }, 'search of paused runs failed'),
      intervalMs: SEARCH_INTERVAL_MS,
    })
    deps.lease.watchRuns({
      listRuns: () => [...this.#pauses.keys()],
      onTakenOver: (run_id) => this.#pauses.get(run_id)?.controller.abort(),
    })
    deps.executor.onPaused = (run_id) => {
      if (this.#searchJob.isStopped) this.#release()
      else this.#follow(run_id)
    }
  }

  start(): void {
    this.#searchJob.start()
    this.#searchJob.runSoon()
  }

  stop(): void {
    this.#searchJob.stop()
    for (const { controller } of this.#pauses.values()) controller.abort()
  }

  /** Releases paused runs to the other servers. A run that is active by now is read to its end. */
  handOver(): void {
    this.#searchJob.stop()
    const { liveRuns } = this.#deps.executor
    for (const [run_id, { controller }] of this.#pauses) if (!liveRuns.has(run_id)) controller.abort()
    this.#release()
    // The last search may have taken over more.
    void this.#searchJob.whenIdle().then(() => this.#release())
  }

  #release(): void {
    const { ledger, server_id, log } = this.#deps
    ledger.releasePausedRuns(server_id).catch((err: unknown) => log.error({ err }, 'release paused runs failed'))
  }

  /** The number of paused runs that are followed. */
  get size(): number {
    return this.#pauses.size
  }

  /**
   * Takes over a run of a crashed server and reads its further events.
   * @returns null if another server was faster. `followed` resolves once further events are received, `isOver` once
   * reading has stopped: either the end is stored, or the run is left to the next server
   */
  async takeOver(
    row: CallRow,
    refolded: RefoldedRun,
  ): Promise<{ followed: Promise<void>; isOver: Promise<boolean> } | null> {
    const { executor } = this.#deps
    const stored = await this.#toStoredRun(row, refolded)
    if (!(await this.#claim(row))) return null
    const { promise: followed, resolve: onFollowed } = Promise.withResolvers<void>()
    const isOver =
      stored && mayHaveFurtherEvents(stored.state)
        ? executor.resume(stored, { onFollowed }).then((result) => result === 'over' || result === 'stopped')
        : Promise.resolve(false)
    return { followed, isOver }
  }

  async #claim(row: CallRow): Promise<boolean> {
    const { ledger, lease, server_id } = this.#deps
    const isClaimed = await ledger.takeOver(row, { server_id, silentAfterMs: lease.silentAfterMs })
    if (isClaimed) lease.setOwn(row.id)
    return isClaimed
  }

  /** Called before a form is answered: resolves once the run is followed, so that nothing after the answer is missed. */
  async ensureFollowed(run_id: string): Promise<void> {
    this.#follow(run_id)
    await Promise.race([this.#pauses.get(run_id)?.followed, wait(FOLLOW_TIMEOUT_MS, undefined, { ref: false })])
  }

  /** A run that another live server follows is left alone. */
  async #followPausedRuns(): Promise<void> {
    const { ledger, server_id, lease } = this.#deps
    const { silentAfterMs } = lease
    const rows = await ledger.listPausedRuns({ server_id, silentAfterMs }, 2 * MAX_FOLLOWED_RUNS)
    const paused = new Set(rows.map(({ id }) => id))
    for (const run_id of this.#polls.keys()) if (!paused.has(run_id)) this.#forget(run_id)
    const due: CallRow[] = []
    for (const row of rows) {
      if (this.#searchJob.isStopped) return
      if (row.server_id !== server_id && !(await this.#claim(row))) continue
      if (this.#pauses.has(row.id)) continue
      if (!this.#unfollowable.has(row.id) && !this.#isFull) this.#follow(row.id)
      else if (Date.now() >= (this.#polls.get(row.id) ?? 0)) due.push(row)
    }
    for (const [workspace_id, ofWorkspace] of Map.groupBy(due, (row) => row.workspace_id))
      void this.#pollWorkspace(workspace_id, ofWorkspace)
  }

  /** A platform that hangs delays only lookups of its own runs. */
  async #pollWorkspace(workspace_id: string, runs: readonly { id: string }[]): Promise<void> {
    if (this.#polledWorkspaces.has(workspace_id)) return
    this.#polledWorkspaces.add(workspace_id)
    for (const { id } of runs)
      if (!this.#searchJob.isStopped)
        await this.#poll(id).catch((err: unknown) => this.#deps.log.error({ err, run: id }, 'poll paused run failed'))
    this.#polledWorkspaces.delete(workspace_id)
  }

  /** The platform is polled for further runs. */
  get #isFull(): boolean {
    return this.#pauses.size >= MAX_FOLLOWED_RUNS
  }

  #follow(run_id: string): void {
    if (this.#searchJob.isStopped || this.#pauses.has(run_id) || this.#isFull) return
    const controller = new AbortController()
    const { promise: followed, resolve: onFollowed } = Promise.withResolvers<void>()
    this.#pauses.set(run_id, { controller, followed })
    void this.#followPause(run_id, { pauseSignal: controller.signal, onFollowed })
      .catch((err: unknown) => this.#deps.log.error({ err, run: run_id }, 'follow paused run failed'))
      .finally(() => {
        onFollowed()
        this.#pauses.delete(run_id)
        // It may have paused again.
        if (!controller.signal.aborted) this.#searchJob.runSoon()
      })
  }

  async #followPause(run_id: string, options: { pauseSignal: AbortSignal; onFollowed: () => void }): Promise<void> {
    const { ledger, executor } = this.#deps
    const row = await ledger.findWithBody(run_id)
    if (row?.status !== 'paused' || row.server_id !== this.#deps.server_id) return
    const stored = await this.#toStoredRun(row, await refoldRun(row, ledger))
    const result = stored && !isLongOverdue(stored.state) ? await executor.resume(stored, options) : 'refused'
    if (result === 'refused') {
      this.#unfollowable.add(run_id)
      this.#pollLater(run_id)
    } else this.#forget(run_id)
  }

  #forget(run_id: string): void {
    this.#unfollowable.delete(run_id)
    this.#polls.delete(run_id)
  }

  #pollLater(run_id: string): void {
    this.#polls.set(run_id, Date.now() + POLL_INTERVAL_MS)
  }

  /** Operation 12 has the end of a run whose events the platform does not offer. */
  async #poll(run_id: string): Promise<void> {
    const row = await this.#deps.ledger.findWithBody(run_id)
    this.#pollLater(run_id)
    if (row?.status !== 'paused') return
    await this.#deps.reconciler.reconcileRun(row, undefined).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
    })
  }

  /** Null for a run without its key or workflow. The state of a blocking run is in its row, since it has no frames. */
  async #toStoredRun(row: CallRow, refolded: RefoldedRun): Promise<StoredRun | null> {
    const { ledger, vault } = this.#deps
    const state = refolded.frames > 0 ? refolded.state : ((row.answer ?? refolded.state) as FoldState)
    if (getWorkflow(state).workflow_run_id === null) return null
    const request = row.request ?? (await ledger.findWithBody(row.id))?.request
    const credential = await vault.getCredential(row.key_id).catch((error: unknown) => {
      if (error instanceof ProblemError) return null
      throw error
    })
    if (!credential) return null
    const order: RunOrder = {
      run_id: row.id,
      entry: row.entry,
      path: contract.adjacent.runEvents.path,
      body: (request ?? {}) as Record<string, unknown>,
      person_id: null,
      parent_id: row.parent_id,
      origin: { kind: row.origin ?? 'api', id: row.origin_id },
      credential,
    }
    const position = {
      seq: refolded.frames,
      bytes: refolded.bytes,
      elapsedMs: Math.max(refolded.times.last_frame_ms ?? 0, Date.now() - row.created_at.getTime()),
      times: refolded.times,
    }
    return { order, state, position, gaps: row.gaps ?? [] }
  }
}

/** Whether all forms of a run expired so long ago that the platform must have ended it. */
function isLongOverdue(state: FoldState): boolean {
  const deadlines = getWorkflow(state).forms.map(({ expiration_time }) => Number(expiration_time) * 1000)
  const latest = Math.max(...deadlines)
  return deadlines.length > 0 && Number.isFinite(latest) && Date.now() > latest + DEADLINE_MARGIN_MS
}
