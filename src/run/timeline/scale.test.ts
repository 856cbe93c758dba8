import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { gapsOf, scaleOf } from './scale.ts'
import { timelineOf } from './spans.ts'

const at = 1_795_000_000
const ran = (id: string, begins: number, elapsed_time: number) => [
  { event: 'node_started', data: { id, node_id: id, created_at: at + begins } },
  { event: 'node_finished', data: { id, node_id: id, status: 'succeeded', elapsed_time } },
]
const run = [
  { event: 'workflow_started', data: { id: 'r', created_at: at } },
  ...ran('a', 0, 1),
  ...ran('b', 9, 2),
  ...ran('c', 10, 4),
  { event: 'workflow_finished', data: { id: 'r', status: 'succeeded', elapsed_time: 20, finished_at: at + 20 } },
].reduce<RunState>(foldRun, emptyRun)

test('a gap is where no node was at work, also behind the last', () => {
  const { spans, length } = timelineOf(run, 0)
  const gaps = gapsOf(spans, length)
  expect(gaps[0]).toEqual({ from: 1, to: 9 })
  expect(gaps.at(-1)).toEqual({ from: spans.at(-1)?.end, to: 20 })
})

test('left out, each gap is a short mark, and what lies between keeps its length', () => {
  const gaps = [
    { from: 1, to: 9 },
    { from: 14, to: 20 },
  ]
  const scale = scaleOf(20, gaps, true)
  expect(scale.length).toBeLessThan(7)
  expect(scale.at(14) - scale.at(9)).toBeCloseTo(5)
  expect(scaleOf(20, gaps, false).at(13)).toBe(13)
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
      const scale = scaleOf(100, gaps, true)
      const placed = [...times].sort((a, b) => a - b).map(scale.at)
      for (const [index, one] of placed.entries()) {
        expect(one).toBeGreaterThanOrEqual((placed[index - 1] ?? 0) - 1e-9)
        expect(one).toBeLessThanOrEqual(scale.length + 1e-9)
      }
    }),
  )
})
