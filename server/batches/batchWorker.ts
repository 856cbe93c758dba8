import type { Logger } from 'pino'
import type { Problem } from '#contract/problem.ts'
import { isConnectionError } from '../db/connectionErrors.ts'
import type { BatchStore } from './batchStore.ts'
import { addRowUsage, type BatchUsage, getAllowance, NO_USAGE, toBatchUsage } from './batchCaps.ts'
import type { BatchRowHandler, BatchRowOutcome, LeftRow } from './batchKind.ts'
import { BatchThrottle, MAX_BACKOFFS } from './batchThrottle.ts'
import type { BatchRecord } from './batchRecord.ts'
import { isOverloadSign, OverloadDetector } from './overloadDetector.ts'
import type { ClaimedRow, EndedRow, BatchRowStore } from './batchRows.ts'

export interface BatchWorkerDeps {
  batchStore: BatchStore
  rowStore: BatchRowStore
  getHandler: (batch: BatchRecord) => BatchRowHandler
  log: Logger
}

/**
 * Milliseconds: how often orphaned rows are checked, how often a batch that others may change is read, and the delay after
 * an error.
 */
const ORPHAN_CHECK_INTERVAL_MS = 1_000
const BATCH_POLL_INTERVAL_MS = 2_000
const ERROR_RETRY_DELAY_MS = 1_000

/** Kinds whose rows go out again where a platform failed several at the same time. */
const HAS_BURSTS: ReadonlySet<BatchRecord['kind']> = new Set(['run', 'board'])

/**
 * Processes one batch with a sliding window of rows, as wide as the person and the platform allow. Outcomes are written in
 * groups: while one group is written the next one collects. It resolves when nothing is in flight and the batch has stopped.
 */
export class BatchWorker {
  readonly #id: string
  readonly #deps: BatchWorkerDeps
  readonly #throttle = new BatchThrottle()
  readonly #inFlight = new Map<number, string>()
  readonly #endedRows: EndedRow[] = []
  readonly #overload = new OverloadDetector()
  /** The last refusal of a burst, shown until the batch stops. */
  #overloadProblem: Problem | null = null
  #batch: BatchRecord | null = null
  #usage = NO_USAGE
  #mayHaveOrphans = true
  #orphansCheckedAt = 0
  #batchReadAt = -Infinity
  #isThrottled = false
  readonly #stop = new AbortController()
  #wake: () => void = () => undefined
  #isAwake = false
  readonly done: Promise<void>

  constructor(id: string, parts: BatchWorkerDeps) {
    this.#id = id
    this.#deps = parts
    this.done = this.#run()
  }

  /** The batch was changed and is read again immediately. `isResumed`: a person resumed it, so its waiting time ends. */
  refresh(isResumed: boolean): void {
    this.#batchReadAt = -Infinity
    if (isResumed) this.#throttle.unblock()
    this.#wakeUp()
  }

  /** Stops sending rows; `done` resolves when those in flight have ended. */
  stop(): void {
    this.#stop.abort()
    this.#wakeUp()
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#isAwake = false
      try {
        const next = await this.#step()
        if (next === 'over') return
        await this.#sleep(next)
      } catch (err) {
        this.#deps.log.error({ err, batch: this.#id }, 'batch failed')
        this.#batchReadAt = -Infinity
        if (this.#stop.signal.aborted && this.#inFlight.size === 0) return
        this.#isAwake = false
        await this.#sleep(ERROR_RETRY_DELAY_MS)
      }
    }
  }

  /** @returns milliseconds until the next step, null to wait for an ended row or a notification. */
  async #step(): Promise<number | null | 'over'> {
    this.#releaseHeldRows()
    await this.#writeEndsAndClaim()
    await this.#writeEnds()
    if (this.#stop.signal.aborted) return this.#inFlight.size === 0 && this.#endedRows.length === 0 ? 'over' : null
    await this.#refreshBatch()
    const batch = this.#batch
    if (!batch) return this.#inFlight.size === 0 ? 'over' : null
    if (this.#mayHaveOrphans) await this.#resolveOrphans(batch)
    if (batch.state !== 'running' || !this.#deps.rowStore.isOwned(batch)) {
      if (this.#inFlight.size > 0 || this.#mayHaveOrphans) return this.#msUntilNextStep()
      // Its last rows ended, or were cancelled, after it was paused.
      if (batch.state === 'paused') await this.#finishBatch(batch)
      return 'over'
    }
    const now = Date.now()
    const allowed = getAllowance(batch, this.#usage, this.#inFlight.size)
    const capacity = Math.min(this.#throttle.capacity(now, this.#inFlight.size), allowed.rows)
    const claimed = capacity > 0 ? await this.#deps.rowStore.claimRows(batch, capacity) : []
    for (const row of claimed) this.#execute(batch, row)
    if (claimed.length > 0) this.#throttle.onSent(now, claimed.length)
    if (this.#inFlight.size > 0 || this.#endedRows.length > 0) return this.#msUntilNextStep()
    const mayBeOver = !this.#mayHaveOrphans && (allowed.pause !== null || capacity > 0)
    if (!mayBeOver && allowed.pause === null) return this.#msUntilNextStep()
    // A limit that is reached with the last row pauses nothing.
    const isOver = mayBeOver && (await this.#finishBatch(batch))
    if (!isOver && allowed.pause !== null) await this.#pauseBatch(allowed.pause, null)
    this.#batchReadAt = -Infinity
    return 0
  }

  /** Rows that were answered 500 are held back until it is certain whether several were at the same time. */
  #releaseHeldRows(): void {
    const others = this.#inFlight.size - this.#endedRows.length - this.#overload.size
    this.#endedRows.push(...this.#overload.release(Date.now(), this.#stop.signal.aborted || others === 0))
  }

  /** If all ended rows succeeded, one statement writes them and claims the next rows. */
  async #writeEndsAndClaim(): Promise<void> {
    const [batch, endedRows, now] = [this.#batch, this.#endedRows.slice(), Date.now()]
    if (!batch || batch.kind === 'board' || batch.state !== 'running' || !this.#deps.rowStore.isOwned(batch)) return
    if (
      this.#stop.signal.aborted ||
      this.#mayHaveOrphans ||
      this.#isThrottled ||
      now - this.#batchReadAt >= BATCH_POLL_INTERVAL_MS
    )
      return
    if (endedRows.length === 0 || endedRows.some(({ outcome }) => outcome.is !== 'done')) return
    const inFlight = this.#inFlight.size - endedRows.length
    const usage = endedRows.reduce((sum, { outcome }) => addToUsage(sum, outcome), this.#usage)
    const capacity = Math.min(this.#throttle.capacity(now, inFlight), getAllowance(batch, usage, inFlight).rows)
    if (capacity <= 0) return
    const claimed = await this.#deps.rowStore.writeEndsAndClaim(this.#id, endedRows, capacity)
    this.#removeEnded(endedRows)
    for (const row of claimed) this.#execute(batch, row)
    if (claimed.length > 0) this.#throttle.onSent(now, claimed.length)
  }

  async #writeEnds(): Promise<void> {
    if (this.#endedRows.length === 0) return
    const endedRows = this.#endedRows.slice()
    await this.#deps.rowStore.writeEnds(this.#id, endedRows)
    this.#removeEnded(endedRows)
    const refused = endedRows.map(({ outcome }) => outcome).find(({ is }) => is === 'refused')
    if (refused?.is === 'refused') return this.#pauseBatch('refused', refused.problem)
    const retryable = endedRows.map(({ outcome }) => outcome).filter(({ is }) => is === 'again')
    if (retryable.length > 0) return this.#backOff(retryable)
    if (!this.#isThrottled) return
    this.#isThrottled = false
    await this.#deps.rowStore.setThrottled(this.#id, null, this.#overloadProblem)
  }

  #removeEnded(ended: readonly EndedRow[]): void {
    this.#endedRows.splice(0, ended.length)
    for (const { number, outcome } of ended) {
      this.#inFlight.delete(number)
      this.#usage = addToUsage(this.#usage, outcome)
      if ((outcome.is === 'done' || outcome.is === 'next') && !isOverloadSign(outcome.problem))
        this.#throttle.onCompleted()
    }
  }

  async #backOff(retryable: BatchRowOutcome[]): Promise<void> {
    let until = 0
    let problem: Problem | null = null
    for (const outcome of retryable) {
      if (outcome.is !== 'again') continue
      until = this.#throttle.onRejected(Date.now(), outcome.wait)
      problem = outcome.problem
    }
    if (isOverloadSign(problem)) this.#overloadProblem = problem
    if (this.#throttle.backoffCount > MAX_BACKOFFS) return this.#pauseBatch('refused', problem)
    this.#isThrottled = true
    await this.#deps.rowStore.setThrottled(this.#id, new Date(until), problem)
  }

  async #pauseBatch(pause: NonNullable<BatchRecord['pause']>, problem: Problem | null): Promise<void> {
    await this.#deps.rowStore.pauseBatch(this.#id, pause, problem)
    this.#batchReadAt = -Infinity
  }

  async #finishBatch(batch: BatchRecord): Promise<boolean> {
    if (!(await this.#deps.batchStore.finish(this.#id, [batch.state]))) return false
    // A server that stops does not wait for it.
    void this.#deps
      .getHandler(batch)
      .onEnded?.(this.#id)
      .catch((err: unknown) => this.#deps.log.error({ err, batch: this.#id }, 'end of batch failed'))
    return true
  }

  async #refreshBatch(): Promise<void> {
    if (Date.now() - this.#batchReadAt < BATCH_POLL_INTERVAL_MS) return
    const isFirst = this.#batch === null
    this.#batch = await this.#deps.batchStore.findRecord(this.#id, null)
    // Between two notifications this server computes the totals of its rows itself.
    if (this.#batch && this.#batchReadAt === -Infinity) {
      this.#deps.batchStore.totals.invalidate(this.#id)
      this.#usage = toBatchUsage(await this.#deps.batchStore.totals.get([this.#batch]))
    }
    this.#batchReadAt = Date.now()
    if (!this.#batch) return
    this.#throttle.configure(this.#batch.at_once, this.#batch.per_minute)
    if (isFirst && this.#batch.waits_until) {
      this.#isThrottled = true
      this.#throttle.blockUntil(this.#batch.waits_until.getTime())
    }
  }

  /** Orphaned rows of a crashed server: without a call nothing was sent, with one its run has the outcome. */
  async #resolveOrphans(batch: BatchRecord): Promise<void> {
    if (Date.now() - this.#orphansCheckedAt < ORPHAN_CHECK_INTERVAL_MS) return
    this.#orphansCheckedAt = Date.now()
    const orphans = await this.#deps.rowStore.findOrphans(this.#id, [...this.#inFlight.keys()])
    this.#mayHaveOrphans = orphans.length > 0
    const kind = this.#deps.getHandler(batch)
    const ended: EndedRow[] = []
    for (const { number, run_id, turn, call } of orphans) {
      const outcome = call && (await kind.resolve?.(call, turn, { batch_id: this.#id, number }))
      if (outcome) ended.push({ number, run_id, outcome })
    }
    const unsent = orphans.filter(({ call }) => !call).map(({ number }) => number)
    if (unsent.length > 0) await this.#deps.rowStore.requeue(this.#id, unsent)
    if (ended.length > 0) await this.#deps.rowStore.writeEnds(this.#id, ended)
    if (ended.length + unsent.length === 0) return
    this.#batchReadAt = -Infinity
    this.#orphansCheckedAt = 0
    this.#isAwake = true
  }

  #execute(batch: BatchRecord, row: ClaimedRow): void {
    const { number, run_id } = row
    this.#inFlight.set(number, run_id)
    this.#usage = { ...this.#usage, sent: this.#usage.sent + 1 }
    const end = (outcome: BatchRowOutcome | LeftRow) => {
      if (outcome.is === 'left') return this.#leave(number)
      const ended = { number, run_id, outcome }
      if (HAS_BURSTS.has(batch.kind) && outcome.is === 'done' && isOverloadSign(outcome.problem))
        this.#overload.hold(ended, Date.now())
      else this.#endedRows.push(ended)
      this.#wakeUp()
    }
    this.#deps
      .getHandler(batch)
      .execute({ batch, ...row, signal: this.#stop.signal })
      .then(end, (err: unknown) => {
        this.#deps.log.error({ err, batch: this.#id, run: run_id }, 'batch row failed')
        // Whether it was sent is known when the database is available again.
        end(isConnectionError(err) ? { is: 'left' } : FAULT_OUTCOME)
      })
  }

  /** The row is resolved as an orphan by the server that has the batch then. */
  #leave(number: number): void {
    this.#inFlight.delete(number)
    this.#mayHaveOrphans = true
    this.#wakeUp()
  }

  #msUntilNextStep(): number | null {
    const byPace = this.#throttle.msUntilCapacity(Date.now(), this.#inFlight.size)
    const byStrays = this.#mayHaveOrphans ? ORPHAN_CHECK_INTERVAL_MS : null
    const byHeldRows = this.#overload.msUntilRelease(Date.now())
    const times = [byPace, byStrays, byHeldRows, BATCH_POLL_INTERVAL_MS].filter((time) => time !== null)
    return Math.min(...times)
  }

  #wakeUp(): void {
    this.#isAwake = true
    this.#wake()
  }

  async #sleep(time: number | null): Promise<void> {
    if (this.#isAwake) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (time !== null) timer = setTimeout(resolve, time)
    })
    clearTimeout(timer)
    this.#wake = () => undefined
  }
}

/**
 * The usage including one more ended row; a row that waits again does not count as sent, but its turns have used
 * tokens.
 */
function addToUsage(usage: BatchUsage, outcome: BatchRowOutcome): BatchUsage {
  if (outcome.is === 'next') return addRowUsage({ ...usage, sent: usage.sent - 1 }, outcome, false)
  if (outcome.is !== 'done') return { ...usage, sent: usage.sent - 1 }
  const succeeded = usage.succeeded + (outcome.state === 'succeeded' ? 1 : 0)
  return addRowUsage({ ...usage, succeeded }, outcome, true)
}

const FAULT_OUTCOME: BatchRowOutcome = {
  is: 'done',
  state: 'failed',
  problem: { kind: 'fault', message: 'The server failed to handle this row. Nothing was sent.' },
  result: null,
  duration_ms: null,
  tokens: null,
  price: null,
  currency: null,
}
