import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { openEmptyDatabase } from '../db/embedded/databasePool.testing.ts'
import { PRICE_PATTERN } from '#domain/price.ts'
import { BatchTotals } from './batchTotals.ts'

const toId = (number: number) => `0000000b-0000-4000-8000-00000000000${number}`
/** More than a page, several in one page, and one without rows yet. */
const BATCHES = [5_001, 3, 700, 4_000, 9].map((total, index) => ({ id: toId(index), state: 'paused' as const, total }))

let database: Database
beforeAll(async () => {
  database = await openEmptyDatabase()
  for (const { id, total } of BATCHES) {
    await database.pool.query(
      `INSERT INTO batches(id, kind, state, workspace_id, key_id, entry, name, settings, at_once, total, created_at)
       VALUES ($1, 'run', 'paused', $1, $1, 'completion.send', 'Totals', '{}', 1, $2, now())`,
      [id, total],
    )
    await database.pool.query(
      `INSERT INTO batch_rows(batch_id, number, state, input, tokens, duration_ms, price, currency)
       SELECT $1, n, (ARRAY['waiting', 'succeeded', 'failed'])[1 + n % 3], '{}', CASE WHEN n % 3 > 0 THEN n END, nullif(n % 5, 0) * 100,
         (ARRAY['0.0012', '-0.5', 'free', NULL, '12', '123456789012345678.000001', '8E-7'])[1 + n % 7], (ARRAY['USD', NULL])[1 + n % 2]
       FROM generate_series(1, $2::int) AS n`,
      [id, id === toId(4) ? 0 : total],
    )
  }
})
afterAll(async () => {
  await database.close()
})

const sortTotals = <Total extends { batch_id: string; state: string; currency: string | null }>(totals: Total[]) =>
  totals.sort((one, other) =>
    `${one.batch_id} ${one.state} ${one.currency}` < `${other.batch_id} ${other.state} ${other.currency}` ? -1 : 1,
  )

it('the totals that are read page by page are those of one statement, to the last decimal of a price', async () => {
  const { rows } = await database.pool.query<{ batch_id: string; state: string; currency: string | null }>(
    `SELECT batch_id, state, currency, count(*)::int AS rows, sum(tokens)::float8 AS tokens,
       count(tokens)::int AS tokens_rows, max(tokens) AS largest, sum(duration_ms)::float8 AS duration_ms,
       sum(CASE WHEN price ~ $1 THEN price::numeric END)::text AS price,
       (count(*) FILTER (WHERE price ~ $1))::int AS price_rows,
       max(CASE WHEN price ~ $1 THEN price::numeric END)::float8 AS highest_price
     FROM batch_rows GROUP BY batch_id, state, currency`,
    [PRICE_PATTERN],
  )
  expect(sortTotals(await new BatchTotals(database.pool).get(BATCHES))).toEqual(sortTotals(rows))
})
