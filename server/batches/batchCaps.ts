import type { PauseReason } from '#contract/console/batches.ts'
import type { BatchRecord } from './batchRecord.ts'
import type { BatchTotal } from './batchTotals.ts'
import { toPlainPrice } from '#domain/price.ts'

interface Expense {
  total: number
  /** The most of one row. */
  max: number
}

export interface BatchUsage {
  /** Sent rows, including those in flight. */
  sent: number
  succeeded: number
  tokens: Expense
  /** Ended rows that reported their tokens, or a price. */
  rowsWithTokens: number
  rowsWithPrice: number
  /** By currency. */
  prices: ReadonlyMap<string | null, Expense>
}

const NO_EXPENSE: Expense = { total: 0, max: 0 }
export const NO_USAGE: BatchUsage = {
  sent: 0,
  succeeded: 0,
  tokens: NO_EXPENSE,
  rowsWithTokens: 0,
  rowsWithPrice: 0,
  prices: new Map(),
}

const addExpense = (one: Expense, other: Expense): Expense => ({
  total: one.total + other.total,
  max: Math.max(one.max, other.max),
})

export const toBatchUsage = (totals: readonly BatchTotal[]): BatchUsage => {
  const sent = totals.filter(({ state }) => state !== 'waiting')
  const prices = new Map<string | null, Expense>()
  for (const { currency, price, highest_price } of totals)
    if (price !== null) {
      const expense = { total: Number(price), max: highest_price ?? 0 }
      prices.set(currency, addExpense(prices.get(currency) ?? NO_EXPENSE, expense))
    }
  return {
    sent: sum(sent.map(({ rows }) => rows)),
    succeeded: sum(sent.map(({ rows, state }) => (state === 'succeeded' ? rows : 0))),
    tokens: totals
      .map(({ tokens, largest }) => ({ total: tokens ?? 0, max: largest ?? 0 }))
      .reduce(addExpense, NO_EXPENSE),
    rowsWithTokens: sum(totals.map(({ tokens_rows }) => tokens_rows)),
    rowsWithPrice: sum(totals.map(({ price_rows }) => price_rows)),
    prices,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** Adds the usage of a turn or a row. An invalid price counts as none. */
export function addRowUsage(
  usage: BatchUsage,
  { tokens, price, currency }: { tokens: number | null; price: string | null; currency: string | null },
  isRow: boolean,
): BatchUsage {
  const amount = Number(toPlainPrice(price ?? '') ?? NaN)
  const isPriced = Number.isFinite(amount)
  const spent = usage.prices.get(currency) ?? NO_EXPENSE
  return {
    ...usage,
    tokens: addExpense(usage.tokens, { total: tokens ?? 0, max: tokens ?? 0 }),
    rowsWithTokens: usage.rowsWithTokens + (isRow && tokens !== null ? 1 : 0),
    rowsWithPrice: usage.rowsWithPrice + (isRow && isPriced ? 1 : 0),
    prices: isPriced
      ? new Map(usage.prices).set(currency, addExpense(spent, { total: amount, max: amount }))
      : usage.prices,
  }
}

/**
 * How many more rows the caps allow, and the reason for zero. Rows are sent one by one until one has reported its
 * tokens; if one succeeds without reporting them, no more are sent. After that each row in flight counts as much as
 * the largest so far, so that the cap holds. The same applies to the price.
 */
export function getAllowance(
  { max_rows, max_tokens, max_price, stop_at }: Pick<BatchRecord, 'max_rows' | 'max_tokens' | 'max_price' | 'stop_at'>,
  usage: BatchUsage,
  inFlight: number,
): { rows: number; pause: PauseReason | null } {
  const rowsLeft = max_rows === null ? Infinity : max_rows - usage.sent
  if (rowsLeft <= 0) return { rows: 0, pause: 'row_cap' }
  const rows = Math.min(rowsLeft, stop_at === null ? Infinity : stop_at - usage.sent)
  if (rows <= 0) return { rows: 0, pause: 'dry_run' }
  const lacksTokens = max_tokens !== null && usage.rowsWithTokens === 0
  const lacksPrice = max_price !== null && usage.rowsWithPrice === 0
  // A failed row has no usage to report.
  if (lacksTokens && usage.succeeded > 0) return { rows: 0, pause: 'no_tokens' }
  if (lacksPrice && usage.succeeded > 0) return { rows: 0, pause: 'no_price' }
  if (lacksTokens || lacksPrice) return { rows: inFlight === 0 ? 1 : 0, pause: null }
  const byTokens = max_tokens === null ? Infinity : countAffordable(max_tokens, usage.tokens, inFlight)
  if (byTokens <= 0) return { rows: 0, pause: 'token_cap' }
  const byPrice =
    max_price === null
      ? Infinity
      : Math.min(...[...usage.prices.values()].map((spent) => countAffordable(max_price, spent, inFlight)))
  return byPrice > 0 ? { rows: Math.min(rows, byTokens, byPrice), pause: null } : { rows: 0, pause: 'price_cap' }
}

/** Prices are sums of decimal fractions. */
const PRICE_TOLERANCE = 1e-9

const countAffordable = (cap: number, { total, max }: Expense, inFlight: number): number =>
  max === 0 ? Infinity : Math.floor((cap - total) / max + PRICE_TOLERANCE) - inFlight
