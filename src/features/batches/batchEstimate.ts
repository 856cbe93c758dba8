import type { Batch } from '#contract/console/batches.ts'

/** Estimates the remaining rows from the finished ones. Null without data. */
export interface BatchEstimate {
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
