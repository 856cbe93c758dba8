/** Milliseconds of the first wait after a rejection without a time; each following wait doubles, up to the maximum. */
const INITIAL_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
/** A batch starts with one row in flight and may have one more after each of these times, or after each accepted row. */
const RAMP_STEP_MS = 400
/** After this many waits without a successful row the batch pauses for a person. */
export const MAX_BACKOFFS = 8

/**
 * Limits the rows in flight. The person sets the concurrency and the rows per minute. A batch starts with a ramp: real
 * platforms fail bursts that they could serve a moment later. A platform that replies "later" makes it wait and halves the
 * concurrency, which then grows by one with each window of successful rows. Times are in milliseconds.
 */
export class BatchThrottle {
  #concurrency = 1
  #intervalMs = 0
  /** The platform's concurrency limit, as far as it is known; during the ramp what accepted rows have earned. */
  #currentWindow = 1
  /** When the first row was sent; null before it. */
  #rampStartedAt: number | null = null
  #isRamping = true
  #completedInWindow = 0
  /** When the rate limit allows the next row; null before the first. */
  #nextSlotAt: number | null = null
  #blockedUntil = 0
  #backoffCount = 0

  configure(concurrency: number, ratePerMinute: number | null): void {
    if (concurrency > this.#concurrency) this.#isRamping = true
    this.#concurrency = concurrency
    this.#intervalMs = ratePerMinute === null ? 0 : 60_000 / ratePerMinute
  }

  /** Waits since the last successful row. */
  get backoffCount(): number {
    return this.#backoffCount
  }

  /** How many rows may be sent, given the number in flight. */
  capacity(now: number, inFlight: number): number {
    if (now < this.#blockedUntil) return 0
    const free = Math.max(0, this.#limit(now) - inFlight)
    if (this.#intervalMs === 0) return free
    // Timers are late: missed slots may be used later, those of one second at most.
    const missedMs = Math.min(now - (this.#nextSlotAt ?? now), 1_000)
    return missedMs < 0 ? 0 : Math.min(free, 1 + Math.floor(missedMs / this.#intervalMs))
  }

  /** Milliseconds until time alone frees a slot; null when only an ended row can. */
  msUntilCapacity(now: number, inFlight: number): number | null {
    if (now < this.#blockedUntil) return this.#blockedUntil - now
    const limit = this.#limit(now)
    if (inFlight < limit) return this.#intervalMs > 0 ? Math.max(0, (this.#nextSlotAt ?? now) - now) : null
    if (!this.#isRamping || limit >= this.#concurrency || this.#rampStartedAt === null) return null
    return RAMP_STEP_MS - ((now - this.#rampStartedAt) % RAMP_STEP_MS)
  }

  #limit(now: number): number {
    const ramp =
      this.#isRamping && this.#rampStartedAt !== null ? 1 + Math.floor((now - this.#rampStartedAt) / RAMP_STEP_MS) : 0
    return Math.min(this.#concurrency, Math.max(this.#currentWindow, ramp))
  }

  onSent(now: number, count: number): void {
    if (count > 0) this.#rampStartedAt ??= now
    this.#nextSlotAt = Math.max(this.#nextSlotAt ?? now, now - 1_000) + count * this.#intervalMs
  }

  /** A row was accepted, whatever its outcome. */
  onCompleted(): void {
    this.#backoffCount = 0
    if (this.#currentWindow >= this.#concurrency) return
    if (!this.#isRamping && ++this.#completedInWindow < this.#currentWindow) return
    this.#completedInWindow = 0
    this.#currentWindow = Math.min(this.#concurrency, this.#currentWindow + 1)
  }

  /**
   * The platform rejected a row, with a waiting time in seconds if it gave one. Simultaneous rejections of rows in flight
   * count as one.
   * @returns the end of the wait.
   */
  onRejected(now: number, seconds: number | null): number {
    if (now >= this.#blockedUntil) {
      this.#backoffCount++
      this.#completedInWindow = 0
      this.#currentWindow = Math.max(1, Math.floor(this.#limit(now) / 2))
      this.#isRamping = false
      this.#blockedUntil = now + Math.min(INITIAL_BACKOFF_MS * 2 ** (this.#backoffCount - 1), MAX_BACKOFF_MS)
    }
    if (seconds !== null) this.#blockedUntil = Math.max(this.#blockedUntil, now + seconds * 1_000)
    return this.#blockedUntil
  }

  /** Applies a wait that another server has stored. */
  blockUntil(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until)
  }

  /** A person resumed the batch: the wait ends immediately. */
  unblock(): void {
    this.#blockedUntil = 0
    this.#backoffCount = 0
  }
}
