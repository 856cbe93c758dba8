import type { Batch } from '#contract/console/batches.ts'

/** What the rows that wait will come to, by what those that ended came to. Null: nothing was given to reckon with. */
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
      // Two digits are what three rows can tell.
      total: String(Number(((Number(total) / knownRows) * rows).toPrecision(2))),
    })),
  }
}
