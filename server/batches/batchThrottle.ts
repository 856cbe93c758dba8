/** Milliseconds of the first wait after a refusal that names no time; each one after it doubles, up to the last. */
const INITIAL_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60_000
/** After so many waits without a row that went through, somebody has to look. */
export const MAX_BACKOFFS = 8

/**
 * How many rows may go out now. The person says how many at once and how many a minute; a platform that says "later" makes
 * it wait, halves what goes out at once, and gets one more with each window of rows that went through. Moments are milliseconds.
 */
export class BatchThrottle {
  #concurrency = 1
  #intervalMs = 0
  /** What the platform takes at once, as far as it is known. */
  #currentWindow = 1
  #completedInWindow = 0
  /** When the pace lets the next one out; null before the first. */
  #nextSlotAt: number | null = null
  #blockedUntil = 0
  #backoffCount = 0

  configure(concurrency: number, ratePerMinute: number | null): void {
    const isNew = concurrency !== this.#concurrency
    this.#concurrency = concurrency
    if (isNew) this.#currentWindow = concurrency
    this.#intervalMs = ratePerMinute === null ? 0 : 60_000 / ratePerMinute
  }

  /** Waits since a row went through. */
  get backoffCount(): number {
    return this.#backoffCount
  }

  /** How many may go out, with so many under way. */
  capacity(now: number, inFlight: number): number {
    if (now < this.#blockedUntil) return 0
    const free = Math.max(0, Math.floor(this.#currentWindow) - inFlight)
    if (this.#intervalMs === 0) return free
    // Timers are late: what was missed meanwhile may follow, a second's worth at most.
    const missedMs = Math.min(now - (this.#nextSlotAt ?? now), 1_000)
    return missedMs < 0 ? 0 : Math.min(free, 1 + Math.floor(missedMs / this.#intervalMs))
  }

  /** Milliseconds until there may be room by time alone; null when only an end makes room. */
  msUntilCapacity(now: number, inFlight: number): number | null {
    if (now < this.#blockedUntil) return this.#blockedUntil - now
    return this.#intervalMs > 0 && inFlight < this.#currentWindow ? Math.max(0, (this.#nextSlotAt ?? now) - now) : null
  }

  onSent(now: number, count: number): void {
    this.#nextSlotAt = Math.max(this.#nextSlotAt ?? now, now - 1_000) + count * this.#intervalMs
  }

  /** A row went through, whatever became of it. */
  onCompleted(): void {
    this.#backoffCount = 0
    if (this.#currentWindow >= this.#concurrency || ++this.#completedInWindow < this.#currentWindow) return
    this.#completedInWindow = 0
    this.#currentWindow = Math.min(this.#concurrency, this.#currentWindow + 1)
  }

  /**
   * The platform took none, with the seconds it named. Refusals of rows that were under way together are one.
   * @returns until when nothing goes out.
   */
  onRejected(now: number, seconds: number | null): number {
    if (now >= this.#blockedUntil) {
      this.#backoffCount++
      this.#completedInWindow = 0
      this.#currentWindow = Math.max(1, Math.floor(this.#currentWindow / 2))
      this.#blockedUntil = now + Math.min(INITIAL_BACKOFF_MS * 2 ** (this.#backoffCount - 1), MAX_BACKOFF_MS)
    }
    if (seconds !== null) this.#blockedUntil = Math.max(this.#blockedUntil, now + seconds * 1_000)
    return this.#blockedUntil
  }

  /** What another server was told before. */
  blockUntil(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until)
  }

  /** A person has it go on at once. */
  unblock(): void {
    this.#blockedUntil = 0
    this.#backoffCount = 0
  }
}
