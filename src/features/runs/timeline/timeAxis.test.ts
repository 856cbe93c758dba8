import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAxisShare, listTicks, zoomView } from './timeAxis.ts'

test('ticks grow, are few and stand in the view', () => {
  const time = fc.double({ noNaN: true, min: 0, max: 1e6 })
  fc.assert(
    fc.property(time, fc.double({ noNaN: true, min: 0.001, max: 1e6 }), (from, length) => {
      const view = { from, to: from + length }
      const ticks = listTicks(view)
      expect(ticks.length).toBeLessThanOrEqual(8)
      for (const tick of ticks) expect(toAxisShare(tick, view)).toBeCloseTo((tick - from) / length, 3)
      expect(ticks).toEqual([...new Set(ticks)].sort((one, other) => one - other))
    }),
  )
})

test('a zoomed view stays within the whole and holds the time that it is about', () => {
  const number = (max: number) => fc.double({ noNaN: true, min: 0, max })
  fc.assert(
    fc.property(number(100), number(100), number(1), fc.constantFrom(0.5, 2), (one, other, share, factor) => {
      const view = { from: Math.min(one, other), to: Math.max(one, other) }
      const middle = view.from + share * (view.to - view.from)
      const next = zoomView(view, middle, factor, 100)
      if (!next) return
      expect(next.from).toBeGreaterThanOrEqual(0)
      expect(next.to).toBeLessThanOrEqual(100 + 1e-9)
      expect(toAxisShare(middle, { from: next.from - 1e-9, to: next.to + 1e-9 })).toBeCloseTo(
        toAxisShare(middle, next),
        1,
      )
      expect(middle).toBeGreaterThanOrEqual(next.from - 1e-9)
      expect(middle).toBeLessThanOrEqual(next.to + 1e-9)
    }),
  )
  expect(zoomView({ from: 0, to: 50 }, 25, 2, 100)).toBeNull()
})
