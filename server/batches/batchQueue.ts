import type { Logger } from 'pino'
import { invalidFieldError, type Problem } from '#contract/problem.ts'
import type { AccessScope } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { SERVER_HEARTBEAT_MS } from '../db/liveServers.ts'
import type { MessageBus } from '../db/messageBus.ts'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import type { ServerLease } from '../runs/reconciliation/serverLease.ts'
import type { BatchStore } from './batchStore.ts'
import type { BatchRowHandler } from './batchKind.ts'
import type { BatchRecord } from './batchRecord.ts'
import { type EndedRow, BatchRowStore } from './batchRows.ts'
import { BatchWorker } from './batchWorker.ts'

const LATE_TURN_PROBLEM: Problem = {
  kind: 'late',
  message: 'The end of this turn became known later. The next turns of its conversation were not sent.',
}

/**
 * The batches that this server works on. It starts with those that its previous process left running. Once per heartbeat
 * interval it checks for running batches without a worker: those of crashed servers, and its own whose claim failed.
 */
export class BatchQueue {
  readonly #workers = new Map<string, BatchWorker>()
  readonly #batchRows: BatchRowStore
  readonly #batchStore: BatchStore
  readonly #handlers: Record<BatchRecord['kind'], BatchRowHandler>
  readonly #log: Logger
  readonly #lease: Pick<ServerLease, 'silentAfterMs'>
  readonly #messageBus: MessageBus
  readonly #claimJob: BackgroundJob

  constructor(parts: {
    server_id: string
    database: Database
    lease: Pick<ServerLease, 'silentAfterMs'>
    batches: BatchStore
    kinds: Record<BatchRecord['kind'], BatchRowHandler>
    log: Logger
  }) {
    this.#batchRows = new BatchRowStore(parts.database, parts.server_id, Object.keys(parts.kinds))
    this.#batchStore = parts.batches
    this.#handlers = parts.kinds
    this.#log = parts.log
    this.#lease = parts.lease
    this.#messageBus = parts.database.messageBus
    this.#claimJob = new BackgroundJob({
      run: () => this.claimBatches(),
      onError: (err) => this.#log.error({ err }, 'claim batches failed'),
      intervalMs: SERVER_HEARTBEAT_MS,
    })
    this.#messageBus.subscribe('batch', (ids) => this.#onChanged(ids, false))
    this.#messageBus.subscribe('batch afresh', (ids) => this.#onChanged(ids, true))
  }

  async start(): Promise<void> {
    await this.claimBatches()
    this.#claimJob.start()
  }

  async claimBatches(): Promise<void> {
    if (this.#claimJob.isStopped) return
    const ids = await this.#batchRows.claimBatches(this.#lease.silentAfterMs)
    const unattended = ids.filter((id) => !this.#workers.has(id))
    for (const id of unattended)
      if (this.#claimJob.isStopped) await this.#batchRows.releaseBatch(id, { isStopping: true })
      else this.#startWorker(id)
  }

  /**
   * Starts a batch that was created with its rows, unless an earlier request has done so.
   * @returns whether it was started now
   * @throws ProblemError 404 where it is out of scope, 400 where the id is that of a batch of another kind
   */
  async startNew(
    { id, kind }: Pick<BatchRecord, 'id' | 'kind'>,
    person_id: string,
    accessScope: AccessScope,
    maxRows?: number,
  ): Promise<boolean> {
    const batch = await this.#batchStore.getRecord(id, accessScope)
    if (batch.kind !== kind) throw invalidFieldError('body.id', 'is the id of another batch')
    if (batch.pause !== 'not_started') return false
    await this.#batchStore.start(id, person_id, maxRows)
    await this.notifyChanged(id, true)
    return true
  }

  /** A batch was changed; `isResumed`: a person resumed it. */
  async notifyChanged(id: string, isResumed = false): Promise<void> {
    this.#onChanged([id], isResumed)
    this.#messageBus.publish(isResumed ? 'batch afresh' : 'batch', [id])
    await this.claimBatches()
  }

  paused(ids: readonly string[]): void {
    if (ids.length === 0) return
    this.#onChanged(ids, false)
    this.#messageBus.publish('batch', ids)
  }

  #onChanged(ids: readonly string[], isResumed: boolean): void {
    for (const id of ids) {
      this.#batchStore.totals.invalidate(id)
      this.#workers.get(id)?.refresh(isResumed)
    }
  }

  /** Updates rows marked unknown whose runs have finished since. @returns whether there were any */
  async reconcileUnknownRows(batch: BatchRecord): Promise<boolean> {
    const ended: EndedRow[] = []
    for (const { number, run_id, turn, call } of await this.#batchRows.findResolvedUnknowns(batch.id)) {
      const outcome = call && (await this.getHandler(batch).resolve?.(call, turn, { batch_id: batch.id, number }))
      if (outcome?.is === 'done') ended.push({ number, run_id, outcome })
      // The batch has continued without it: the next turns are sent only if a person asks for it.
      else if (outcome?.is === 'next') {
        const { conversation_id: _, ...end } = outcome
        const stopped = { ...end, is: 'done', state: 'stopped', problem: LATE_TURN_PROBLEM } as const
        ended.push({ number, run_id, outcome: stopped })
      }
    }
    if (ended.length > 0) await this.#batchRows.writeEnds(batch.id, ended, 'unknown')
    this.#batchStore.totals.invalidate(batch.id)
    return ended.length > 0
  }

  get size(): number {
    return this.#workers.size
  }

  getHandler = ({ kind }: BatchRecord): BatchRowHandler => this.#handlers[kind]

  /** Stops sending rows. A batch is left to the other servers once its rows in flight have ended. */
  stop(): void {
    this.#claimJob.stop()
    for (const work of this.#workers.values()) work.stop()
  }

  async whenIdle(): Promise<void> {
    await this.#claimJob.whenIdle()
    await Promise.all([...this.#workers.values()].map(({ done }) => done))
  }

  #startWorker(id: string): void {
    const worker = new BatchWorker(id, {
      batchStore: this.#batchStore,
      rowStore: this.#batchRows,
      getHandler: this.getHandler,
      log: this.#log,
    })
    this.#workers.set(id, worker)
    void worker.done
      .then(() => this.#batchRows.releaseBatch(id, { isStopping: this.#claimJob.isStopped }))
      .catch((err: unknown) => this.#log.error({ err, batch: id }, 'release batch failed'))
      .then(() => {
        this.#workers.delete(id)
        // It may have been restarted while stopping.
        return this.claimBatches()
      })
      .catch((err: unknown) => this.#log.error({ err, batch: id }, 'claim batches failed'))
  }
}
