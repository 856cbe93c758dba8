import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addRowUsage, getAllowance, NO_USAGE, toBatchUsage } from './batchCaps.ts'

const NO_CAPS = { max_rows: null, max_tokens: null, max_price: null, stop_at: null }

it.each([
  ['tokens', (cap: number) => ({ max_tokens: cap }), 'token_cap'],
  ['the price', (cap: number) => ({ max_price: cap }), 'price_cap'],
])('never takes %s over the cap while no row takes more than the largest before it', (_what, toCap, pauseReason) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 80 }),
      (cap, at_once, sizes) => {
        // The first row is the largest; what comes after it is no larger.
        const [largest = 1, ...rest] = [...sizes].sort((one, other) => other - one)
        const waiting = [largest, ...rest]
        const flying: number[] = []
        let spent = NO_USAGE
        for (;;) {
          const { rows, pause } = getAllowance({ ...NO_CAPS, ...toCap(cap) }, spent, flying.length)
          const out = waiting.splice(0, Math.min(rows, at_once - flying.length))
          flying.push(...out)
          const used = flying.shift()
          if (used === undefined) {
            expect(pause === pauseReason || waiting.length === 0).toBe(true)
            break
          }
          spent = addRowUsage(
            { ...spent, sent: spent.sent + out.length, succeeded: spent.succeeded + 1 },
            { tokens: used, price: String(used), currency: 'USD' },
            true,
          )
        }
        // Nothing is known before the first row.
        expect(spent.tokens.total).toBeLessThanOrEqual(Math.max(cap, largest))
      },
    ),
  )
})

it('counts the rows that were sent, those under way included', () => {
  const spent = { ...NO_USAGE, sent: 3, succeeded: 1 }
  expect(getAllowance({ ...NO_CAPS, max_rows: 5 }, spent, 2)).toEqual({ rows: 2, pause: null })
  expect(getAllowance({ ...NO_CAPS, max_rows: 3 }, spent, 2)).toEqual({ rows: 0, pause: 'row_cap' })
  expect(getAllowance({ ...NO_CAPS, max_rows: 5, stop_at: 3 }, spent, 2)).toEqual({ rows: 0, pause: 'dry_run' })
})

it('applies the cap by price to each currency by itself, and says where the platform tells no price', () => {
  const caps = { ...NO_CAPS, max_price: 0.3 }
  const row = (price: string | null, currency: string) => ({ tokens: 5, price, currency })
  const usd = addRowUsage({ ...NO_USAGE, succeeded: 1 }, row('0.1', 'USD'), true)
  expect(getAllowance(caps, usd, 0)).toEqual({ rows: 2, pause: null })
  const both = addRowUsage({ ...usd, succeeded: 2 }, row('0.2', 'EUR'), true)
  expect(getAllowance(caps, both, 0)).toEqual({ rows: 0, pause: 'price_cap' })
  const untold = addRowUsage({ ...NO_USAGE, succeeded: 1 }, row('free', 'USD'), true)
  expect(getAllowance(caps, untold, 0)).toEqual({ rows: 0, pause: 'no_price' })
  expect(getAllowance({ ...NO_CAPS, max_tokens: 20 }, untold, 0)).toEqual({ rows: 3, pause: null })
  const again = addRowUsage({ ...untold, succeeded: 2 }, row('0.01', 'USD'), true)
  expect(getAllowance(caps, again, 0)).toEqual({ rows: 29, pause: null })
})

it('goes on with one row at a time while those that ended have failed, since they had no usage to report', () => {
  const caps = { ...NO_CAPS, max_tokens: 1_000 }
  const failed = addRowUsage({ ...NO_USAGE, sent: 1 }, { tokens: null, price: null, currency: null }, true)
  expect(getAllowance(caps, failed, 0)).toEqual({ rows: 1, pause: null })
  expect(getAllowance(caps, failed, 1)).toEqual({ rows: 0, pause: null })
  expect(getAllowance(caps, { ...failed, sent: 2, succeeded: 1 }, 0)).toEqual({ rows: 0, pause: 'no_tokens' })
  expect(getAllowance({ ...caps, max_price: 1 }, { ...failed, rowsWithTokens: 1 }, 0)).toEqual({ rows: 1, pause: null })
})

it('reads the usage of a batch from the totals of its rows', () => {
  const total = { batch_id: 'b', rows: 2, tokens: 30, tokens_rows: 2, largest: 20, duration_ms: 1 }
  const usage = toBatchUsage([
    { ...total, state: 'succeeded', currency: 'USD', price: '0.03', price_rows: 2, highest_price: 0.02 },
    { ...total, state: 'failed', currency: 'USD', price: '0.05', price_rows: 1, highest_price: 0.05 },
    { ...total, state: 'waiting', currency: null, price: null, price_rows: 0, highest_price: null },
  ])
  expect(usage).toMatchObject({ sent: 4, succeeded: 2, tokens: { total: 90, max: 20 }, rowsWithPrice: 3 })
  expect(usage.prices).toEqual(new Map([['USD', { total: 0.08, max: 0.05 }]]))
})
