import type { Batch } from '#contract/console/batches.ts'
import { formatPrice } from '#domain/metricFormat.ts'

export const countEndedRows = ({ counts }: Batch): number =>
  counts.succeeded + counts.failed + counts.stopped + counts.unknown

/** The status text of a batch for its badge. */
export function getBatchStatusText({ state, pause, counts }: Batch): string {
  if (state === 'paused' && pause === 'not_started') return 'queued'
  if (state === 'ended') return counts.failed + counts.unknown > 0 ? 'ended' : 'completed'
  return state
}

/** Prices in several currencies as one text; null without any. */
export const formatPrices = (prices: readonly { currency: string | null; total: string }[]): string | null =>
  prices.length === 0 ? null : prices.map(({ currency, total }) => formatPrice(total, currency)).join(', ')
