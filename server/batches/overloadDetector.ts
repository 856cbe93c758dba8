import type { Problem } from '#contract/problem.ts'
import type { EndedRow } from './batchRows.ts'

/** Refusals within this time are one burst; a single one is held back for as long, since others may follow. */
const BURST_WINDOW_MS = 1_000

/** A bare 500 before the first frame: a platform whose database has no connection left says no more. */
export const isOverloadSign = (problem: Problem | null): boolean =>
  problem?.kind === 'refused' && problem.upstream?.status === 500

/**
 * Distinguishes overload from rows that fail by themselves: several rows in flight that get a 500 at the same time
 * are sent again later; a single one has failed. Times are Unix milliseconds.
 */
export class OverloadDetector {
  #held: (EndedRow & { at: number })[] = []
  #burstAt = -Infinity

  hold(row: EndedRow, now: number): void {
    this.#held.push({ ...row, at: now })
  }

  /**
   * The rows whose outcome is certain by now.
   * @param isFinal no other row in flight can decide whether it is a burst
   */
  release(now: number, isFinal: boolean): EndedRow[] {
    const held = this.#held
    const first = held[0]
    if (!first) return []
    const isBurst = held.length > 1 || first.at - this.#burstAt < BURST_WINDOW_MS
    if (!isBurst && !isFinal && now - first.at < BURST_WINDOW_MS) return []
    if (isBurst) this.#burstAt = now
    this.#held = []
    return held.map(({ number, run_id, outcome }) => ({
      number,
      run_id,
      outcome:
        isBurst && outcome.is === 'done' && outcome.problem
          ? { is: 'again', problem: outcome.problem, wait: null }
          : outcome,
    }))
  }

  /** Milliseconds until a row that is held back has failed by itself; null where none is. */
  msUntilRelease(now: number): number | null {
    const first = this.#held[0]
    return first ? Math.max(0, first.at + BURST_WINDOW_MS - now) : null
  }

  get size(): number {
    return this.#held.length
  }
}
