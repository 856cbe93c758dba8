import { expect, test } from 'vitest'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { timelineOf } from './spans.ts'
import { idleShare, whereTimeWent } from './where.ts'

const done = (id: string, elapsed_time: number, created_at: number) => ({
  event: 'node_finished',
  data: { id, node_id: id, status: 'succeeded', elapsed_time, created_at },
})
const run = [
  { event: 'workflow_started', data: { id: 'r', created_at: 100 } },
  done('short', 0.2, 100),
  done('long', 5, 100),
  done('late', 2, 108),
  { event: 'workflow_finished', data: { id: 'r', status: 'succeeded', elapsed_time: 10 } },
].reduce<RunState>(foldRun, emptyRun)

test('the nodes that took a tenth of the time or more, longest first', () => {
  expect(whereTimeWent(timelineOf(run, 0)).map(({ span, share }) => [span.key, share])).toEqual([
    ['long', 0.5],
    ['late', 0.2],
  ])
})

test('the time in which no node worked', () => {
  expect(idleShare(timelineOf(run, 0))).toBeCloseTo(0.28)
  expect(idleShare(timelineOf(emptyRun, 0))).toBe(0)
})
