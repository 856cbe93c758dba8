/**
 * Processes pending work one batch at a time: what arrives while a batch is processed forms the next one. With little work
 * each item is its own batch at once, with much work batches grow. The owner holds the pending work, since that differs: a
 * list, a map that merges entries, a set of ids.
 */
export class Batcher {
  readonly #hasPending: () => boolean
  readonly #processNext: () => Promise<void>
  #running: Promise<void> | null = null

  /** `processNext` takes a batch from the pending work and processes it; it handles its errors and never rejects. */
  constructor(hasPending: () => boolean, processNext: () => Promise<void>) {
    this.#hasPending = hasPending
    this.#processNext = processNext
  }

  /** Call it after adding work. The first batch is taken synchronously. */
  runSoon(): void {
    if (!this.#running && this.#hasPending()) this.#running = this.#processAll()
  }

  /** Resolves when nothing is pending. */
  async whenIdle(): Promise<void> {
    this.runSoon()
    while (this.#running) await this.#running
  }

  async #processAll(): Promise<void> {
    while (this.#hasPending()) await this.#processNext()
    this.#running = null
  }
}
