import type { Batch } from '#contract/console/batches.ts'
import { formatPrice } from '#domain/metricFormat.ts'
import type { Translate } from '../../components/i18n/useMessages.ts'
import type { batchMessages } from './messages.ts'

export const countEndedRows = ({ counts }: Batch): number =>
  counts.succeeded + counts.failed + counts.stopped + counts.unknown

/** How many rows have ended; rows of the file that were left out are said, not counted as if they were not there. */
export function formatProgress(t: Translate<typeof batchMessages>, batch: Batch): string {
  const done = countEndedRows(batch)
  const rows = batch.source?.rows ?? batch.total
  return rows > batch.total
    ? t('leftOut', { done, rows, left: rows - batch.total })
    : t('rowsDone', { done, total: batch.total })
}

/** Prices in several currencies as one text; null without any. */
export const formatPrices = (prices: readonly { currency: string | null; total: string }[]): string | null =>
  prices.length === 0 ? null : prices.map(({ currency, total }) => formatPrice(total, currency)).join(', ')
