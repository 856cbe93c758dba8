import { expect, test } from 'vitest'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { buildTimeline } from './timelineSpans.ts'
import { getIdleShare, findSlowestSpans } from './timeSpent.ts'

const nodeFinished = (id: string, elapsed_time: number, created_at: number) => ({
  event: 'node_finished',
  data: { id, node_id: id, status: 'succeeded', elapsed_time, created_at },
})
const run = [
  { event: 'workflow_started', data: { id: 'r', created_at: 100 } },
  nodeFinished('short', 0.2, 100),
  nodeFinished('long', 5, 100),
  nodeFinished('late', 2, 108),
  { event: 'workflow_finished', data: { id: 'r', status: 'succeeded', elapsed_time: 10 } },
].reduce<RunState>(foldRun, emptyRun)

test('the nodes that took a tenth of the time or more, longest first', () => {
  expect(findSlowestSpans(buildTimeline(run, 0)).map(({ span, share }) => [span.key, share])).toEqual([
    ['long', 0.5],
    ['late', 0.2],
  ])
})

test('the time in which no node worked', () => {
  expect(getIdleShare(buildTimeline(run, 0))).toBeCloseTo(0.28)
  expect(getIdleShare(buildTimeline(emptyRun, 0))).toBe(0)
})
