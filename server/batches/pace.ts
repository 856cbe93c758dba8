/** Milliseconds of the first wait after a refusal that names no time; each one after it doubles, up to the last. */
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 60_000
/** After so many waits without a row that went through, somebody has to look. */
export const WAITS = 8

/**
 * How many rows may go out now. The person says how many at once and how many a minute; a platform that says "later" makes
 * it wait, halves what goes out at once, and gets one more with each window of rows that went through. Moments are milliseconds.
 */
export class Pace {
  #at_once = 1
  #interval = 0
  /** What the platform takes at once, as far as it is known. */
  #window = 1
  #through = 0
  /** When the pace lets the next one out; null before the first. */
  #next: number | null = null
  #until = 0
  #waits = 0

  set(at_once: number, per_minute: number | null): void {
    const isNew = at_once !== this.#at_once
    this.#at_once = at_once
    if (isNew) this.#window = at_once
    this.#interval = per_minute === null ? 0 : 60_000 / per_minute
  }

  /** Waits since a row went through. */
  get waits(): number {
    return this.#waits
  }

  /** How many may go out, with so many under way. */
  room(now: number, flying: number): number {
    if (now < this.#until) return 0
    const free = Math.max(0, Math.floor(this.#window) - flying)
    if (this.#interval === 0) return free
    // Timers are late: what was missed meanwhile may follow, a second's worth at most.
    const missed = Math.min(now - (this.#next ?? now), 1_000)
    return missed < 0 ? 0 : Math.min(free, 1 + Math.floor(missed / this.#interval))
  }

  /** Milliseconds until there may be room by time alone; null when only an end makes room. */
  wait(now: number, flying: number): number | null {
    if (now < this.#until) return this.#until - now
    return this.#interval > 0 && flying < this.#window ? Math.max(0, (this.#next ?? now) - now) : null
  }

  sent(now: number, count: number): void {
    this.#next = Math.max(this.#next ?? now, now - 1_000) + count * this.#interval
  }

  /** A row went through, whatever became of it. */
  through(): void {
    this.#waits = 0
    if (this.#window >= this.#at_once || ++this.#through < this.#window) return
    this.#through = 0
    this.#window = Math.min(this.#at_once, this.#window + 1)
  }

  /**
   * The platform took none, with the seconds it named. Refusals of rows that were under way together are one.
   * @returns until when nothing goes out.
   */
  refused(now: number, seconds: number | null): number {
    if (now >= this.#until) {
      this.#waits++
      this.#through = 0
      this.#window = Math.max(1, Math.floor(this.#window / 2))
      this.#until = now + Math.min(FIRST_WAIT * 2 ** (this.#waits - 1), LONGEST_WAIT)
    }
    if (seconds !== null) this.#until = Math.max(this.#until, now + seconds * 1_000)
    return this.#until
  }

  /** What another server was told before. */
  hold(until: number): void {
    this.#until = Math.max(this.#until, until)
  }

  /** A person has it go on at once. */
  release(): void {
    this.#until = 0
    this.#waits = 0
  }
}
