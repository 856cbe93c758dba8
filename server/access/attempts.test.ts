import { expect, it } from 'vitest'
import { Bench } from '../app.testing.ts'
import { Attempts, networkOf } from './attempts.ts'

it('an account is slowed down, and not shut out, by strangers all over the world', async () => {
  const bench = await Bench.start()
  const waits: number[] = []
  const attempts = new Attempts(bench.database.pool, async (ms) => waits.push(ms))
  for (let net = 0; net < 30; net++) await attempts.begin('Zoe', `203.0.${net}.9`)
  expect(waits).toHaveLength(10)
  expect(waits.every((wait, index) => wait > (waits[index - 1] ?? 0) && wait <= 4000)).toBe(true)
  expect([networkOf('10.1.2.3'), networkOf('::ffff:10.1.2.3'), networkOf('2001:db8:1:2:3::4')]).toEqual([
    '10.1.2',
    '10.1.2',
    '2001:db8:1:2',
  ])
  await bench.remove()
})
