interface BackgroundJobOptions {
  /** One pass. The signal is aborted when the job stops; a long pass then ends at its next step. */
  run: (stopSignal: AbortSignal) => Promise<unknown>
  /** Called with the error of a failed pass. The job goes on. */
  onError: (error: unknown) => void
  /** Milliseconds between two passes; without it a pass runs only when requested. */
  intervalMs?: number
}

/**
 * Work that repeats in the background, at intervals and on request. Passes never overlap: requests during a pass lead to one
 * more pass after it. The timer does not keep the process alive.
 */
export class BackgroundJob {
  readonly #options: BackgroundJobOptions
  readonly #stopController = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #isRequested = false

  constructor(options: BackgroundJobOptions) {
    this.#options = options
  }

  /** Begins the interval; the first pass runs after it. */
  start(): void {
    const { intervalMs } = this.#options
    if (intervalMs !== undefined && !this.isStopped)
      this.#timer ??= setInterval(() => this.#running ?? this.runSoon(), intervalMs).unref()
  }

  /** Starts a pass now, or after the current one. */
  runSoon(): void {
    if (this.isStopped) return
    this.#isRequested = true
    this.#running ??= this.#runRequested()
  }

  pause(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Starts no further pass, and aborts the signal of the current one. */
  stop(): void {
    this.pause()
    this.#stopController.abort(new Error('The server is stopping.'))
  }

  /** Resolves when no pass is running. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running
  }

  get isStopped(): boolean {
    return this.#stopController.signal.aborted
  }

  get isRequested(): boolean {
    return this.#isRequested
  }

  async #runRequested(): Promise<void> {
    while (this.#isRequested && !this.isStopped) {
      this.#isRequested = false
      try {
        await this.#options.run(this.#stopController.signal)
      } catch (error) {
        this.#options.onError(error)
      }
    }
    this.#running = null
  }
}
