import type { Batch } from '#contract/batches.ts'

/** What the rows that wait will come to, by what those that ended came to. Null: nothing was given to reckon with. */
export interface Estimate {
  rows: number
  ms: number | null
  tokens: number | null
  prices: { currency: string | null; total: string }[]
}

export function estimateOf({ counts, bounds, row_ms, tokens, tokens_rows, prices }: Batch): Estimate {
  const rows = counts.waiting + counts.running
  const byWindow = row_ms === null ? null : (rows * row_ms) / Math.min(bounds.at_once, Math.max(rows, 1))
  const byPace = bounds.per_minute === null ? 0 : (rows / bounds.per_minute) * 60_000
  return {
    rows,
    ms: byWindow === null ? null : Math.max(byWindow, byPace),
    tokens: tokens === null ? null : Math.round((tokens / tokens_rows) * rows),
    prices: prices.map(({ currency, total, rows: told }) => ({
      currency,
      // Two digits are what three rows can tell.
      total: String(Number(((Number(total) / told) * rows).toPrecision(2))),
    })),
  }
}
