import type { Pool } from 'pg'
import type { Metrics } from '../../http/metrics.ts'
import { isConnectionError } from '../../db/connectionErrors.ts'
import { toCopyCell, copyRows, COPY_NULL } from '../../db/copyRows.ts'
import { RunTakenOverError, type ServerLease } from '../reconciliation/serverLease.ts'
import { Batcher } from '../../jobs/batcher.ts'

/**
 * A frame to insert. `at`: milliseconds since the request was sent; `raw`: the original bytes if `block` cannot
 * represent them (invalid UTF-8, or a NUL).
 */
export interface NewFrame {
  seq: number
  at: number
  bytes: number
  block: string
  raw?: Buffer
}
type FrameMetrics = Pick<Metrics, 'frameDelay' | 'commitFrames' | 'commitFailures'>
interface PendingWrite {
  call_id: string
  frames: NewFrame[]
  bytes: number
  queuedAt: number
  onDone: (error: Error | null) => void
}

/** Limits of one group commit; a single write may be larger. */
const MAX_FRAMES_PER_COMMIT = 1000
const MAX_BYTES_PER_COMMIT = 8 * 1024 * 1024
/**
 * Backpressure: with this many frames or bytes pending, streams are not read until some are written. Data that waits
 * in the network uses no memory here and arrives in larger chunks.
 */
const BACKPRESSURE = { frames: 1_000, bytes: 32 * 1024 * 1024 }
/**
 * Group commit: a commit costs about as much as reading a few frames. Above `BUSY_FRAMES_PER_MS`, plus a burst of
 * `BUSY_BURST_FRAMES`, a group waits until `GROUP_COMMIT_WINDOW_MS` after the previous one began, and with fewer than
 * `GROUP_COMMIT_MIN_WRITES` writes for more of them, at most `GROUP_COMMIT_MAX_WAIT_MS`.
 */
const BUSY_FRAMES_PER_MS = 1.2
const BUSY_BURST_FRAMES = 60
const GROUP_COMMIT_MIN_WRITES = 40
const GROUP_COMMIT_WINDOW_MS = 8
const GROUP_COMMIT_MAX_WAIT_MS = 25

/** How long writing to an unavailable database is retried, and the first and last retry delay, in ms. */
const DATABASE_RETRY_TIMEOUT_MS = 30_000
const INITIAL_RETRY_DELAY_MS = 50
const MAX_RETRY_DELAY_MS = 1_000
/**
 * SQLSTATE unique_violation and lock_not_available. Both mean that an earlier attempt on a lost connection may still
 * commit.
 */
const UNIQUE_VIOLATION = '23505'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Group commit: while one group is written, the next one collects. With few frames each write commits at once, with
 * many in large groups. When `write` resolves, the frame is stored. After a failure all pending writes of the same
 * run fail too, so that no run has a gap.
 */
export class FrameWriter {
  readonly #pool: Pool
  readonly #metrics: FrameMetrics | undefined
  readonly #retryTimeoutMs: number
  readonly #lease: Pick<ServerLease, 'whenValid' | 'isTakenOver'> | null
  #pending: PendingWrite[] = []
  readonly #batcher = new Batcher(
    () => this.#pending.length > 0,
    () => this.#writeNextGroup(),
  )
  readonly #inFlight = { frames: 0, bytes: 0 }
  /** Streams that wait for capacity, in FIFO order. */
  #blockedReaders: (() => void)[] = []
  /** Recent frames above `BUSY_FRAMES_PER_MS`, and when they were last counted. */
  #excessFrames = 0
  #measuredAt = 0
  #onWrite: () => void = () => undefined

  constructor(
    pool: Pool,
    {
      metrics,
      retryTimeoutMs = DATABASE_RETRY_TIMEOUT_MS,
      lease = null,
    }: {
      metrics?: FrameMetrics
      retryTimeoutMs?: number
      lease?: Pick<ServerLease, 'whenValid' | 'isTakenOver'> | null
    } = {},
  ) {
    this.#lease = lease
    this.#pool = pool
    this.#metrics = metrics
    this.#retryTimeoutMs = retryTimeoutMs
  }

  get pendingFrames(): number {
    return this.#inFlight.frames
  }

  /** Null while there is capacity, else a promise that resolves when the caller may continue reading. */
  capacity(): Promise<void> | null {
    const isCrowded = this.#inFlight.frames > BACKPRESSURE.frames || this.#inFlight.bytes > BACKPRESSURE.bytes
    return isCrowded || this.#blockedReaders.length > 0
      ? new Promise((resolve) => this.#blockedReaders.push(resolve))
      : null
  }

  write(call_id: string, frames: NewFrame[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0)
      this.#inFlight.frames += frames.length
      this.#inFlight.bytes += bytes
      this.#pending.push({
        call_id,
        frames,
        bytes,
        queuedAt: performance.now(),
        onDone: (error) => (error ? reject(error) : resolve()),
      })
      this.#batcher.runSoon()
      this.#onWrite()
    })
  }

  async #writeNextGroup(): Promise<void> {
    const began = performance.now()
    const group = this.#takeGroup()
    const error = await this.#commit(group).catch((reason: Error) => reason)
    this.#measure(group, error)
    const failed = error ? this.#takeFollowing(group) : []
    this.#completeWrites([...group, ...failed], error ?? null)
    if (this.#isBusy(group)) await this.#waitForGroup(began)
  }

  #completeWrites(completed: PendingWrite[], error: Error | null): void {
    for (const { call_id, frames, bytes, onDone } of completed) {
      this.#inFlight.frames -= frames.length
      this.#inFlight.bytes -= bytes
      onDone(this.#lease?.isTakenOver(call_id) ? new RunTakenOverError() : error)
    }
    // A released stream may have nothing to read for a while. If nothing is pending, no later write would release the
    // others, so all are released.
    const isOverByteLimit = this.#inFlight.bytes > BACKPRESSURE.bytes
    const freeFrames =
      this.#inFlight.frames === 0 ? Infinity : isOverByteLimit ? 0 : BACKPRESSURE.frames - this.#inFlight.frames
    for (const read of this.#blockedReaders.splice(0, Math.max(0, freeFrames))) read()
  }

  async #waitForGroup(startedAt: number): Promise<void> {
    await this.#pause(startedAt + GROUP_COMMIT_WINDOW_MS - performance.now())
    if (this.#pending.length < GROUP_COMMIT_MIN_WRITES)
      await this.#pause(startedAt + GROUP_COMMIT_MAX_WAIT_MS - performance.now(), GROUP_COMMIT_MIN_WRITES)
  }

  /** Waits at most `maxMs`, or until there are enough writes. */
  #pause(maxMs: number, minWrites = Infinity): Promise<void> {
    if (maxMs <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs)
      this.#onWrite = () => {
        if (this.#pending.length < minWrites) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #isBusy(group: PendingWrite[]): boolean {
    const now = performance.now()
    const newFrames = group.reduce((sum, { frames }) => sum + frames.length, 0)
    this.#excessFrames = Math.min(
      2 * BUSY_BURST_FRAMES,
      Math.max(0, this.#excessFrames + newFrames - BUSY_FRAMES_PER_MS * (now - this.#measuredAt)),
    )
    this.#measuredAt = now
    return this.#excessFrames > BUSY_BURST_FRAMES
  }

  #measure(group: PendingWrite[], error: Error | undefined): void {
    if (!this.#metrics) return
    if (error) return this.#metrics.commitFailures.inc()
    const now = performance.now()
    for (const { queuedAt } of group) this.#metrics.frameDelay.observe((now - queuedAt) / 1000)
    this.#metrics.commitFrames.observe(group.reduce((sum, { frames }) => sum + frames.length, 0))
  }

  #takeGroup(): PendingWrite[] {
    let size = 0
    let bytes = 0
    let count = 0
    while (count < this.#pending.length && size < MAX_FRAMES_PER_COMMIT && bytes < MAX_BYTES_PER_COMMIT) {
      size += this.#pending[count]?.frames.length ?? 0
      bytes += this.#pending[count]?.bytes ?? 0
      count++
    }
    const group = this.#pending.slice(0, count)
    this.#pending = this.#pending.slice(count)
    return group
  }

  #takeFollowing(group: PendingWrite[]): PendingWrite[] {
    const ids = new Set(group.map(({ call_id }) => call_id))
    const following = this.#pending.filter(({ call_id }) => ids.has(call_id))
    this.#pending = this.#pending.filter(({ call_id }) => !ids.has(call_id))
    return following
  }

  /** Retries while the database is unavailable. Frames stay in memory meanwhile; above a limit the stream is not read. */
  async #commit(
    group: PendingWrite[],
    { isRetry = false, deadline = performance.now() + this.#retryTimeoutMs } = {},
  ): Promise<undefined> {
    for (let delayMs = INITIAL_RETRY_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_RETRY_DELAY_MS)) {
      try {
        await this.#lease?.whenValid()
        const own = group.filter(({ call_id }) => !this.#lease?.isTakenOver(call_id))
        if (own.length > 0)
          await copyRows(this.#pool, 'frames(call_id, seq, at, bytes, block, raw)', own.map(toCopyRows).join(''))
        return undefined
      } catch (error) {
        const { code } = error as { code?: string }
        if (isRetry && code === UNIQUE_VIOLATION) {
          const runs = Map.groupBy(group, ({ call_id }) => call_id)
          // The rows were committed already; only the confirmation was lost with the connection.
          if (runs.size === 1) return undefined
          // COPY inserts all or nothing: a frame of one run that is already stored blocks those of the others.
          for (const writes of runs.values()) await this.#commit(writes, { isRetry, deadline })
          return undefined
        }
        if (!(isConnectionError(error) || code === LOCK_NOT_AVAILABLE) || performance.now() > deadline) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      isRetry = true
    }
  }
}

function toCopyRows({ call_id, frames }: PendingWrite): string {
  let rows = ''
  for (const { seq, at, bytes, block, raw } of frames)
    rows += `${call_id}\t${seq}\t${at}\t${bytes}\t${toCopyCell(block)}\t${raw ? `\\\\x${raw.toString('hex')}` : COPY_NULL}\n`
  return rows
}
