import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getAllowance, type BatchUsage } from './batchCaps.ts'

it('never takes tokens over the cap while no row takes more than the largest before it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 80 }),
      (max_tokens, at_once, sizes) => {
        // The first row is the largest; what comes after it is no larger.
        const [largest = 1, ...rest] = [...sizes].sort((one, other) => other - one)
        const waiting = [largest, ...rest]
        const flying: number[] = []
        let spent: BatchUsage = { sent: 0, ended: 0, tokens: 0, rowsWithTokens: 0, maxRowTokens: 0 }
        for (;;) {
          const { rows, pause } = getAllowance({ max_rows: null, max_tokens, stop_at: null }, spent, flying.length)
          const out = waiting.splice(0, Math.min(rows, at_once - flying.length))
          flying.push(...out)
          const tokens = flying.shift()
          if (tokens === undefined) {
            expect(pause === 'token_cap' || waiting.length === 0).toBe(true)
            break
          }
          spent = {
            sent: spent.sent + out.length,
            ended: spent.ended + 1,
            tokens: spent.tokens + tokens,
            rowsWithTokens: spent.rowsWithTokens + 1,
            maxRowTokens: Math.max(spent.maxRowTokens, tokens),
          }
        }
        // Nothing is known before the first row.
        expect(spent.tokens).toBeLessThanOrEqual(Math.max(max_tokens, largest))
      },
    ),
  )
})

it('counts the rows that were sent, those under way included', () => {
  const spent = { sent: 3, ended: 1, tokens: 0, rowsWithTokens: 0, maxRowTokens: 0 }
  expect(getAllowance({ max_rows: 5, max_tokens: null, stop_at: null }, spent, 2)).toEqual({ rows: 2, pause: null })
  expect(getAllowance({ max_rows: 3, max_tokens: null, stop_at: null }, spent, 2)).toEqual({
    rows: 0,
    pause: 'row_cap',
  })
  expect(getAllowance({ max_rows: 5, max_tokens: null, stop_at: 3 }, spent, 2)).toEqual({ rows: 0, pause: 'dry_run' })
})
