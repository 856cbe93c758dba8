import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RenderThrottle } from './runStore.ts'

/** A page in which drawing takes `cost` milliseconds. @returns when each drawing began. */
function drawings(cost: (index: number) => number, until: number): number[] {
  let time = 0
  const waiting: { at: number; then: () => void }[] = []
  const at = (moment: number, then: () => void) => waiting.push({ at: moment, then })
  const pace = new RenderThrottle({
    now: () => time,
    setTimer: (delay, then) => at(time + delay, then),
    beforePaint: (then) => at((Math.floor(time / 16) + 1) * 16, then),
    afterPaint: (then) => at(time, then),
  })
  const began: number[] = []
  const draw = () => {
    began.push(time)
    time += cost(began.length)
    at(time + 1, () => pace.schedule(draw))
  }
  pace.schedule(draw)
  for (;;) {
    waiting.sort((one, other) => one.at - other.at)
    const next = waiting.shift()
    if (!next || next.at > until) return began
    time = Math.max(time, next.at)
    next.then()
  }
}

test('what comes is drawn at once when nothing was drawn of late', () => {
  expect(drawings(() => 1, 20)).toEqual([16])
})

test('however long a drawing takes, the page has most of the time for itself', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 }), (costs) => {
      const cost = (index: number) => costs[index % costs.length] ?? 0
      const began = drawings(cost, 20_000)
      expect(began.length).toBeGreaterThan(5)
      for (const [index, moment] of began.slice(1).entries()) {
        const gap = moment - (began[index] ?? 0)
        expect(gap).toBeGreaterThanOrEqual(40)
        expect(gap).toBeGreaterThanOrEqual(cost(index + 1) * 4)
      }
    }),
  )
})
