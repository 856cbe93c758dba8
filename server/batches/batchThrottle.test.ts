import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BatchThrottle } from './batchThrottle.ts'

/** As many rows were accepted as the person allows at once. */
function passRamp(throttle: BatchThrottle): void {
  for (let row = 0; row < 50; row++) throttle.onCompleted()
}

it('lets out as many at once as the person says, whatever is under way', () => {
  const pace = new BatchThrottle()
  pace.configure(4, null)
  passRamp(pace)
  expect([0, 1, 4, 5].map((flying) => pace.capacity(0, flying))).toEqual([4, 3, 0, 0])
  expect(pace.msUntilCapacity(0, 4)).toBeNull()
})

it('spreads so many a minute, and never lets more than a second of them follow at once', () => {
  const pace = new BatchThrottle()
  pace.configure(50, 120)
  passRamp(pace)
  expect(pace.capacity(10_000, 0)).toBe(1)
  pace.onSent(10_000, 1)
  expect(pace.capacity(10_499, 1)).toBe(0)
  expect(pace.msUntilCapacity(10_100, 1)).toBe(400)
  expect(pace.capacity(10_500, 1)).toBe(1)
  expect(pace.capacity(60_000, 1)).toBe(3)
  pace.onSent(60_000, 3)
  expect(pace.capacity(60_000, 4)).toBe(0)
})

it('halves what goes out at once with each refusal, waits twice as long, and grows again with what goes through', () => {
  const pace = new BatchThrottle()
  pace.configure(8, null)
  passRamp(pace)
  expect(pace.onRejected(0, null)).toBe(1_000)
  // Those that were under way with the first are no news.
  expect(pace.onRejected(100, null)).toBe(1_000)
  expect([pace.capacity(999, 0), pace.capacity(1_000, 0)]).toEqual([0, 4])
  expect(pace.onRejected(1_000, null)).toBe(3_000)
  expect(pace.capacity(3_000, 0)).toBe(2)
  for (let through = 0; through < 2; through++) pace.onCompleted()
  expect(pace.capacity(3_000, 0)).toBe(3)
  expect(pace.backoffCount).toBe(0)
  for (let through = 0; through < 100; through++) pace.onCompleted()
  expect(pace.capacity(3_000, 0)).toBe(8)
})

it('waits as long as the platform says, and not after somebody has it go on', () => {
  const pace = new BatchThrottle()
  pace.configure(2, null)
  expect(pace.onRejected(0, 30)).toBe(30_000)
  expect([pace.capacity(29_999, 0), pace.msUntilCapacity(29_000, 0)]).toEqual([0, 1_000])
  pace.unblock()
  expect(pace.capacity(10, 0)).toBe(1)
})

it('never lets out more than it may, in whatever order things come', () => {
  const step = fc.record({ after: fc.integer({ min: 0, max: 3_000 }), event: fc.constantFrom('end', 'refuse', 'look') })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.option(fc.integer({ min: 1, max: 6000 })),
      fc.array(step, { maxLength: 60 }),
      (at_once, per_minute, steps) => {
        const pace = new BatchThrottle()
        pace.configure(at_once, per_minute)
        let now = 1_000_000
        let flying = 0
        const outs: number[] = []
        for (const { after, event } of steps) {
          now += after
          if (event !== 'look' && flying > 0) flying--
          if (event === 'end') pace.onCompleted()
          if (event === 'refuse') pace.onRejected(now, null)
          const room = pace.capacity(now, flying)
          expect(room).toBeGreaterThanOrEqual(0)
          expect(flying + room).toBeLessThanOrEqual(Math.max(at_once, flying))
          pace.onSent(now, room)
          flying += room
          for (let out = 0; out < room; out++) outs.push(now)
        }
        // In any window the minute's pace holds, but for the second that may be made up for.
        if (per_minute !== null)
          for (const [index, at] of outs.entries()) {
            const within = outs.slice(index).filter((other) => other - at <= 10_000).length
            expect(within).toBeLessThanOrEqual(Math.ceil((11_000 / 60_000) * per_minute) + 2)
          }
      },
    ),
  )
})

it('starts with one row, and adds one after a while or with each row that was accepted', () => {
  const throttle = new BatchThrottle()
  throttle.configure(4, null)
  expect(throttle.capacity(5_000, 0)).toBe(1)
  throttle.onSent(5_000, 1)
  expect([throttle.capacity(5_399, 1), throttle.msUntilCapacity(5_300, 1)]).toEqual([0, 100])
  expect(throttle.capacity(5_400, 1)).toBe(1)
  throttle.onCompleted()
  throttle.onCompleted()
  expect(throttle.capacity(5_400, 0)).toBe(3)
  expect(throttle.capacity(60_000, 0)).toBe(4)
  expect(throttle.msUntilCapacity(60_000, 4)).toBeNull()
})
