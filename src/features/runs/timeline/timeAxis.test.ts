import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { findGaps, listTicks, makeTimeScale, toAxisShare, zoomView } from './timeAxis.ts'
import { buildTimeline } from './timelineSpans.ts'

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

const at = 1_795_000_000
const runNode = (id: string, begins: number, elapsed_time: number) => [
  { event: 'node_started', data: { id, node_id: id, created_at: at + begins } },
  { event: 'node_finished', data: { id, node_id: id, status: 'succeeded', elapsed_time } },
]
const run = [
  { event: 'workflow_started', data: { id: 'r', created_at: at } },
  ...runNode('a', 0, 1),
  ...runNode('b', 9, 2),
  ...runNode('c', 10, 4),
  { event: 'workflow_finished', data: { id: 'r', status: 'succeeded', elapsed_time: 20, finished_at: at + 20 } },
].reduce<RunState>(foldRun, emptyRun)

test('a gap is where no node was at work, also behind the last', () => {
  const { spans, length } = buildTimeline(run, 0)
  const gaps = findGaps(spans, length)
  expect(gaps[0]).toEqual({ from: 1, to: 9 })
  expect(gaps.at(-1)).toEqual({ from: spans.at(-1)?.end, to: 20 })
})

test('left out, each gap is a short mark, and what lies between keeps its length', () => {
  const gaps = [
    { from: 1, to: 9 },
    { from: 14, to: 20 },
  ]
  const scale = makeTimeScale(20, gaps, true)
  expect(scale.length).toBeLessThan(7)
  expect(scale.toPosition(14) - scale.toPosition(9)).toBeCloseTo(5)
  expect(makeTimeScale(20, gaps, false).toPosition(13)).toBe(13)
})

test('an axis never runs backwards, and ends where it ends', () => {
  const time = fc.double({ min: 0, max: 100, noNaN: true })
  fc.assert(
    fc.property(fc.array(time, { minLength: 2, maxLength: 8 }), fc.array(time), (edges, times) => {
      const sorted = [...edges].sort((a, b) => a - b)
      const gaps = sorted.flatMap((from, index) =>
        index % 2 === 0 && sorted[index + 1] !== undefined && (sorted[index + 1] ?? 0) - from > 0.01
          ? [{ from, to: sorted[index + 1] ?? 0 }]
          : [],
      )
      const scale = makeTimeScale(100, gaps, true)
      const placed = [...times].sort((a, b) => a - b).map(scale.toPosition)
      for (const [index, one] of placed.entries()) {
        expect(one).toBeGreaterThanOrEqual((placed[index - 1] ?? 0) - 1e-9)
        expect(one).toBeLessThanOrEqual(scale.length + 1e-9)
      }
    }),
  )
})
