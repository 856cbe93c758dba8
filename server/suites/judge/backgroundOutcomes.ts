import type { BatchRowOutcome, LeftRow } from '../../batches/batchKind.ts'

/** Outcomes of rows that are worked out while the queue goes on. */
export class BackgroundOutcomes {
  readonly #pending = new Map<string, { outcome: BatchRowOutcome | null; error?: unknown }>()

  /**
   * Begins with it where that has not been done.
   * @returns the outcome once it is there; null before
   * @throws what the work threw; the next call begins again
   */
  take(id: string, work: () => Promise<BatchRowOutcome | LeftRow>): BatchRowOutcome | null {
    const known = this.#pending.get(id)
    if (!known) {
      this.#pending.set(id, { outcome: null })
      work().then(
        (outcome) => (outcome.is === 'left' ? void this.#pending.delete(id) : void this.#pending.set(id, { outcome })),
        (error: unknown) => void this.#pending.set(id, { outcome: null, error }),
      )
      return null
    }
    if (known.outcome === null && !('error' in known)) return null
    this.#pending.delete(id)
    if ('error' in known) throw known.error
    return known.outcome
  }
}
