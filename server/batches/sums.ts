import type { Pool } from 'pg'
import type { Batch, RowState } from '#contract/batches.ts'

/** What the rows of one state and one currency come to. */
export interface Sum {
  batch_id: string
  state: RowState
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
const NUMBER = '^-?[0-9]{1,30}([.][0-9]{1,30})?$'
/** A sum that took less is made anew each time, in milliseconds; one that took longer is good for so many times as long. */
const QUICK = 40
const GOOD_FOR = 10

/**
 * What the rows of batches come to. A hundred thousand rows take the embedded database half a second, in which it does
 * nothing else, so that what was summed is kept for a while that grows with its cost, or until the batch is in another state:
 * one that has ended is never shown with the sums of before.
 */
export class Sums {
  readonly #pool: Pool
  readonly #kept = new Map<string, { sums: Sum[]; state: Batch['state']; until: number }>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async of(batches: readonly Pick<Batch, 'id' | 'state'>[]): Promise<Sum[]> {
    const now = performance.now()
    for (const [id, { until }] of this.#kept) if (until < now) this.#kept.delete(id)
    const isKept = ({ id, state }: Pick<Batch, 'id' | 'state'>) => this.#kept.get(id)?.state === state
    const old = batches.filter(isKept).flatMap(({ id }) => this.#kept.get(id)?.sums ?? [])
    const wanted = batches.filter((batch) => !isKept(batch))
    if (wanted.length === 0) return old
    const { rows } = await this.#pool.query<Sum>(
      `SELECT batch_id, state, currency, count(*)::int AS rows, sum(tokens)::float8 AS tokens,
         count(tokens)::int AS tokens_rows, max(tokens) AS largest, sum(duration_ms)::float8 AS duration_ms,
         sum(CASE WHEN price ~ $2 THEN price::numeric END)::text AS price,
         (count(*) FILTER (WHERE price ~ $2))::int AS price_rows
       FROM batch_rows WHERE batch_id = ANY($1) GROUP BY batch_id, state, currency`,
      [wanted.map(({ id }) => id), NUMBER],
    )
    const took = performance.now() - now
    if (took > QUICK)
      for (const { id, state } of wanted)
        this.#kept.set(id, {
          state,
          sums: rows.filter(({ batch_id }) => batch_id === id),
          until: performance.now() + took * GOOD_FOR,
        })
    return [...old, ...rows]
  }

  /** Somebody changed it and wants to see that. */
  forget(id: string): void {
    this.#kept.delete(id)
  }
}
