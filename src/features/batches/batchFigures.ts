import type { Batch } from '#contract/console/batches.ts'
import { formatPrice } from '#domain/metricFormat.ts'
import { type Translate, useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'

export const countEndedRows = ({ counts }: Batch): number =>
  counts.succeeded + counts.failed + counts.stopped + counts.unknown

/** How many rows have ended; skipped rows of the file are shown separately. */
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

/** Estimates the remaining rows from the finished ones. Null without data. */
interface BatchEstimate {
  rows: number
  ms: number | null
  tokens: number | null
  prices: { currency: string | null; total: string }[]
}

export function estimateBatch({ counts, bounds: limits, row_ms, tokens, tokens_rows, prices }: Batch): BatchEstimate {
  const rows = counts.waiting + counts.running
  const msByConcurrency = row_ms === null ? null : (rows * row_ms) / Math.min(limits.at_once, Math.max(rows, 1))
  const msByRateLimit = limits.per_minute === null ? 0 : (rows / limits.per_minute) * 60_000
  return {
    rows,
    ms: msByConcurrency === null ? null : Math.max(msByConcurrency, msByRateLimit),
    tokens: tokens === null ? null : Math.round((tokens / tokens_rows) * rows),
    prices: prices.map(({ currency, total, rows: knownRows }) => ({
      currency,
      // Two significant digits: three rows justify no more.
      total: String(Number(((Number(total) / knownRows) * rows).toPrecision(2))),
    })),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Formats a duration with the precision of an estimate. */
export function useApproximateDuration(): (ms: number) => string {
  const t = useMessages(batchMessages)
  return (ms) => {
    if (ms < MINUTE_MS) return t('secondsShort', { seconds: Math.max(1, Math.ceil(ms / 1_000)) })
    return ms < HOUR_MS ? t('minutes', { n: Math.ceil(ms / MINUTE_MS) }) : t('hours', { n: (ms / HOUR_MS).toFixed(1) })
  }
}
