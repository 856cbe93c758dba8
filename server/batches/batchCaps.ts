import type { PauseReason } from '#contract/console/batches.ts'
import type { BatchRecord } from './batchRecord.ts'
import type { BatchTotal } from './batchTotals.ts'

/** The usage of a batch's rows so far. */
export interface BatchUsage {
  /** Sent rows, including those in flight. */
  sent: number
  ended: number
  tokens: number
  /** Ended rows that reported their tokens, and the largest count of one row. */
  rowsWithTokens: number
  maxRowTokens: number
}

export const toBatchUsage = (totals: readonly BatchTotal[]): BatchUsage => {
  const sent = totals.filter(({ state }) => state !== 'waiting')
  return {
    sent: sent.reduce((all, { rows }) => all + rows, 0),
    ended: sent.reduce((all, { rows, state }) => all + (state === 'running' ? 0 : rows), 0),
    tokens: totals.reduce((all, { tokens }) => all + (tokens ?? 0), 0),
    rowsWithTokens: totals.reduce((all, { tokens_rows }) => all + tokens_rows, 0),
    maxRowTokens: Math.max(0, ...totals.map(({ largest }) => largest ?? 0)),
  }
}

/**
 * How many more rows the caps allow, and the reason for zero. Until a row has reported its tokens, rows are sent one by one;
 * afterwards each row in flight counts as much as the largest so far, so that rows in flight do not exceed the cap.
 */
export function getAllowance(
  { max_rows, max_tokens, stop_at }: Pick<BatchRecord, 'max_rows' | 'max_tokens' | 'stop_at'>,
  usage: BatchUsage,
  inFlight: number,
): { rows: number; pause: PauseReason | null } {
  const rowsLeft = max_rows === null ? Infinity : max_rows - usage.sent
  if (rowsLeft <= 0) return { rows: 0, pause: 'row_cap' }
  const rows = Math.min(rowsLeft, stop_at === null ? Infinity : stop_at - usage.sent)
  if (rows <= 0) return { rows: 0, pause: 'dry_run' }
  if (max_tokens === null) return { rows, pause: null }
  if (usage.rowsWithTokens === 0 && usage.ended > 0) return { rows: 0, pause: 'no_tokens' }
  if (usage.rowsWithTokens === 0) return { rows: inFlight === 0 ? 1 : 0, pause: null }
  if (usage.maxRowTokens === 0) return { rows, pause: null }
  const affordableRows = Math.floor((max_tokens - usage.tokens) / usage.maxRowTokens) - inFlight
  return affordableRows > 0 ? { rows: Math.min(rows, affordableRows), pause: null } : { rows: 0, pause: 'token_cap' }
}
