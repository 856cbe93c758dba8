import type { Pool } from 'pg'
import type { Batch, BatchRowState } from '#contract/console/batches.ts'

/** What the rows of one state and one currency come to. */
export interface BatchTotal {
  batch_id: string
  state: BatchRowState
  currency: string | null
  rows: number
  tokens: number | null
  tokens_rows: number
  /** The most that one row took. */
  largest: number | null
  duration_ms: number | null
  price: string | null
  price_rows: number
}

/** A platform may send any text as its price; only a number can be added. */
const NUMBER_PATTERN = '^-?[0-9]{1,30}([.][0-9]{1,30})?$'
/** A sum that took less is made anew each time, in milliseconds; one that took longer is good for so many times as long. */
const MIN_CACHED_QUERY_MS = 40
const CACHE_TTL_FACTOR = 10

/**
 * What the rows of batches come to. A hundred thousand rows take the embedded database half a second, in which it does
 * nothing else, so that what was summed is kept for a while that grows with its cost, or until the batch is in another state:
 * one that has ended is never shown with the sums of before.
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
         (count(*) FILTER (WHERE price ~ $2))::int AS price_rows
       FROM batch_rows WHERE batch_id = ANY($1) GROUP BY batch_id, state, currency`,
      [uncached.map(({ id }) => id), NUMBER_PATTERN],
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

  /** Somebody changed it and wants to see that. */
  invalidate(id: string): void {
    this.#cache.delete(id)
  }
}
