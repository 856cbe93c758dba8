import type { Pause } from '#contract/batches.ts'
import type { BatchRecord } from './record.ts'
import type { Sum } from './sums.ts'

/** What the rows of a batch have come to so far. */
export interface Spent {
  /** Rows that were sent, those under way included. */
  sent: number
  ended: number
  tokens: number
  /** Ended rows that told their tokens, and the most that one of them took. */
  told: number
  largest: number
}

export const spentOf = (sums: readonly Sum[]): Spent => {
  const sent = sums.filter(({ state }) => state !== 'waiting')
  return {
    sent: sent.reduce((all, { rows }) => all + rows, 0),
    ended: sent.reduce((all, { rows, state }) => all + (state === 'running' ? 0 : rows), 0),
    tokens: sums.reduce((all, { tokens }) => all + (tokens ?? 0), 0),
    told: sums.reduce((all, { tokens_rows }) => all + tokens_rows, 0),
    largest: Math.max(0, ...sums.map(({ largest }) => largest ?? 0)),
  }
}

/**
 * How many more rows the caps allow, and why none. Before a row has told its tokens one goes alone; afterwards each
 * row under way counts as much as the largest so far, so that what is on its way does not take it over.
 */
export function allowance(
  { max_rows, max_tokens, stop_at }: Pick<BatchRecord, 'max_rows' | 'max_tokens' | 'stop_at'>,
  spent: Spent,
  flying: number,
): { rows: number; pause: Pause | null } {
  const capped = max_rows === null ? Infinity : max_rows - spent.sent
  if (capped <= 0) return { rows: 0, pause: 'row_cap' }
  const rows = Math.min(capped, stop_at === null ? Infinity : stop_at - spent.sent)
  if (rows <= 0) return { rows: 0, pause: 'dry_run' }
  if (max_tokens === null) return { rows, pause: null }
  if (spent.told === 0 && spent.ended > 0) return { rows: 0, pause: 'no_tokens' }
  if (spent.told === 0) return { rows: flying === 0 ? 1 : 0, pause: null }
  if (spent.largest === 0) return { rows, pause: null }
  const more = Math.floor((max_tokens - spent.tokens) / spent.largest) - flying
  return more > 0 ? { rows: Math.min(rows, more), pause: null } : { rows: 0, pause: 'token_cap' }
}
