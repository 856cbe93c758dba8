import type { Batch } from '#contract/batches.ts'
import { priceOf } from '../../run/figures.ts'

export const endedIn = ({ counts }: Batch): number => counts.succeeded + counts.failed + counts.stopped + counts.unknown

/** The word of a batch's state as a badge has it. */
export function wordOf({ state, pause, counts }: Batch): string {
  if (state === 'paused' && pause === 'not_started') return 'queued'
  if (state === 'ended') return counts.failed + counts.unknown > 0 ? 'ended' : 'completed'
  return state
}

/** Prices of several currencies in one line; null where none was given. */
export const pricesOf = (prices: readonly { currency: string | null; total: string }[]): string | null =>
  prices.length === 0 ? null : prices.map(({ currency, total }) => priceOf(total, currency)).join(', ')
