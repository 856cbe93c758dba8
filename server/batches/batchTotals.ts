import type { Pool } from 'pg'
import type { Batch, BatchRowState } from '#contract/console/batches.ts'

/** The totals of rows with the same state and currency. */
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

/** A platform may send any text as its price; only numbers can be added. */
export const PRICE_PATTERN = '^-?[0-9]{1,30}([.][0-9]{1,30})?$'
/** Faster queries are not cached (ms); slower results are cached for this many times their duration. */
const MIN_CACHED_QUERY_MS = 40
const CACHE_TTL_FACTOR = 10

/**
 * The totals of batches. A hundred thousand rows take the embedded database half a second, in which it does nothing else, so
 * totals are cached for a time that grows with their cost, or until the state of the batch changes: a finished batch never
 * shows older totals.
 */
export class BatchTotals {
  readonly #pool: Pool
  readonly #cache = new Map<string, { sums: BatchTotal[]; state: Batch['state']; until: number }>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async get(batches: readonly Pick<Batch, 'id' | 'state'>[]): Promise<BatchTotal[]> {
    const now = performance.now()
    for (const [id, { until }] of this.#cache) if (until < now) this.#cache.delete(id)
    const isCached = ({ id, state }: Pick<Batch, 'id' | 'state'>) => this.#cache.get(id)?.state === state
    const cachedTotals = batches.filter(isCached).flatMap(({ id }) => this.#cache.get(id)?.sums ?? [])
    const uncached = batches.filter((batch) => !isCached(batch))
    if (uncached.length === 0) return cachedTotals
    const { rows } = await this.#pool.query<BatchTotal>(
      `SELECT batch_id, state, currency, count(*)::int AS rows, sum(tokens)::float8 AS tokens,
         count(tokens)::int AS tokens_rows, max(tokens) AS largest, sum(duration_ms)::float8 AS duration_ms,
         sum(CASE WHEN price ~ $2 THEN price::numeric END)::text AS price,
         (count(*) FILTER (WHERE price ~ $2))::int AS price_rows,
         max(CASE WHEN price ~ $2 THEN price::numeric END)::float8 AS highest_price
       FROM batch_rows WHERE batch_id = ANY($1) GROUP BY batch_id, state, currency`,
      [uncached.map(({ id }) => id), PRICE_PATTERN],
    )
    const queryMs = performance.now() - now
    if (queryMs > MIN_CACHED_QUERY_MS)
      for (const { id, state } of uncached)
        this.#cache.set(id, {
          state,
          sums: rows.filter(({ batch_id }) => batch_id === id),
          until: performance.now() + queryMs * CACHE_TTL_FACTOR,
        })
    return [...cachedTotals, ...rows]
  }

  /** After a change that the person wants to see immediately. */
  invalidate(id: string): void {
    this.#cache.delete(id)
  }
}
