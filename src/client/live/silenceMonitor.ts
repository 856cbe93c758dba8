/** Checks per timeout. */
const CHECKS_PER_TIMEOUT = 10
/** The part of the timeout after which `onQuiet` is called. */
const QUIET_SHARE = 0.4

/** Notices that a connection has become silent: neither a socket nor a stream reports a peer that is gone. */
export class SilenceMonitor {
  readonly #timeoutMs: number
  readonly #timer: ReturnType<typeof setInterval>
  readonly #onQuiet: () => void
  readonly #onSilent: () => void
  #lastActivityAt = Date.now()
  #lastCheckAt = Date.now()
  #isQuiet = false

  /**
   * `onSilent` is called once after `timeoutMs` milliseconds without activity; `onQuiet` in each shorter silence, early enough
   * to provoke a reply.
   */
  constructor(timeoutMs: number, onSilent: () => void, onQuiet: () => void = () => undefined) {
    this.#timeoutMs = timeoutMs
    this.#onSilent = onSilent
    this.#onQuiet = onQuiet
    this.#timer = setInterval(() => this.#check(), timeoutMs / CHECKS_PER_TIMEOUT)
  }

  noteActivity(): void {
    this.#lastActivityAt = Date.now()
    this.#isQuiet = false
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = Date.now()
    // The page was suspended or its timers were throttled: what arrived meanwhile may not have been delivered yet.
    if (now - this.#lastCheckAt > this.#timeoutMs) this.noteActivity()
    this.#lastCheckAt = now
    const silenceMs = now - this.#lastActivityAt
    if (silenceMs > this.#timeoutMs) {
      this.stop()
      this.#onSilent()
    } else if (silenceMs > this.#timeoutMs * QUIET_SHARE && !this.#isQuiet) {
      this.#isQuiet = true
      this.#onQuiet()
    }
  }
}
