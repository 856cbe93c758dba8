import type { Pool } from 'pg'
import type { Batch, BatchRowState } from '#contract/console/batches.ts'
import { addPlainPrices, PRICE_PATTERN } from '#domain/price.ts'

export interface BatchTotal {
  batch_id: string
  state: BatchRowState
  currency: string | null
  rows: number
  tokens: number | null
  tokens_rows: number
  /** The most tokens of one row, and its highest price. */
  largest: number | null
  highest_price: number | null
  duration_ms: number | null
  price: string | null
  price_rows: number
}

export const countRows = (totals: readonly BatchTotal[], state: BatchRowState): number =>
  totals.reduce((count, total) => (total.state === state ? count + total.rows : count), 0)

/** Rows per statement: a larger one would block the embedded database for too long. */
const ROWS_PER_PAGE = 500
/** Faster reads are not cached (ms); slower results are cached for this many times their duration. */
const MIN_CACHED_READ_MS = 40
const CACHE_TTL_FACTOR = 10

type TotalledBatch = Pick<Batch, 'id' | 'state' | 'total'>

/** Consecutive rows of one batch. */
interface RowRange {
  id: string
  first: number
  last: number
}

/**
 * The totals of batches, read page by page and cached for a time that grows with their cost, or until the state of
 * the batch changes: a finished batch never shows older totals. Rows of a running batch may come from different
 * moments, but each is counted once.
 */
export class BatchTotals {
  readonly #pool: Pool
  readonly #cache = new Map<string, { sums: BatchTotal[]; state: Batch['state']; until: number }>()
  /** Counts the invalidations: a read that began before one is not cached. */
  #generation = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async get(batches: readonly TotalledBatch[]): Promise<BatchTotal[]> {
    const now = performance.now()
    for (const [id, { until }] of this.#cache) if (until < now) this.#cache.delete(id)
    const isCached = ({ id, state }: TotalledBatch) => this.#cache.get(id)?.state === state
    const cachedTotals = batches.filter(isCached).flatMap(({ id }) => this.#cache.get(id)?.sums ?? [])
    const uncached = batches.filter((batch) => !isCached(batch))
    if (uncached.length === 0) return cachedTotals
    const generation = this.#generation
    const totals = await this.#read(uncached)
    const readMs = performance.now() - now
    if (readMs > MIN_CACHED_READ_MS && generation === this.#generation)
      for (const { id, state } of uncached)
        this.#cache.set(id, {
          state,
          sums: totals.filter(({ batch_id }) => batch_id === id),
          until: performance.now() + readMs * CACHE_TTL_FACTOR,
        })
    return [...cachedTotals, ...totals]
  }

  invalidate(id: string): void {
    this.#generation++
    this.#cache.delete(id)
  }

  async #read(batches: readonly TotalledBatch[]): Promise<BatchTotal[]> {
    const totals = new Map<string, BatchTotal>()
    for (const ranges of toPages(batches)) {
      const { rows } = await this.#pool.query<BatchTotal>(
        `SELECT batch_id, state, currency, count(*)::int AS rows, sum(tokens)::float8 AS tokens,
           count(tokens)::int AS tokens_rows, max(tokens) AS largest, sum(duration_ms)::float8 AS duration_ms,
           sum(CASE WHEN price ~ $4 THEN price::numeric END)::text AS price,
           (count(*) FILTER (WHERE price ~ $4))::int AS price_rows,
           max(CASE WHEN price ~ $4 THEN price::numeric END)::float8 AS highest_price
         FROM unnest($1::uuid[], $2::int[], $3::int[]) AS range(id, first, last)
         CROSS JOIN LATERAL (SELECT * FROM batch_rows WHERE batch_id = range.id AND number BETWEEN first AND last OFFSET 0) AS page
         GROUP BY batch_id, state, currency`,
        [ranges.map(({ id }) => id), ranges.map(({ first }) => first), ranges.map(({ last }) => last), PRICE_PATTERN],
      )
      for (const row of rows) {
        const key = `${row.batch_id} ${row.state} ${row.currency}`
        const known = totals.get(key)
        totals.set(key, known ? addTotals(known, row) : row)
      }
    }
    return [...totals.values()]
  }
}

/** Pages of at most that many rows, which are numbered from 1 without gaps. */
function toPages(batches: readonly TotalledBatch[]): RowRange[][] {
  const pages: RowRange[][] = []
  let room = 0
  for (const { id, total } of batches)
    for (let first = 1; first <= total;) {
      if (room === 0) {
        pages.push([])
        room = ROWS_PER_PAGE
      }
      const last = Math.min(total, first + room - 1)
      pages.at(-1)?.push({ id, first, last })
      room -= last - first + 1
      first = last + 1
    }
  return pages
}

const addTotals = (one: BatchTotal, other: BatchTotal): BatchTotal => ({
  ...one,
  rows: one.rows + other.rows,
  tokens: combine(one.tokens, other.tokens, add),
  tokens_rows: one.tokens_rows + other.tokens_rows,
  largest: combine(one.largest, other.largest, Math.max),
  highest_price: combine(one.highest_price, other.highest_price, Math.max),
  duration_ms: combine(one.duration_ms, other.duration_ms, add),
  price: combine(one.price, other.price, addPlainPrices),
  price_rows: one.price_rows + other.price_rows,
})

/** Like an SQL aggregate: a missing value adds nothing. */
const combine = <Value>(one: Value | null, other: Value | null, merge: (one: Value, other: Value) => Value) =>
  one === null || other === null ? (one ?? other) : merge(one, other)

const add = (one: number, other: number): number => one + other
