import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import {
  type RecordedEvent,
  runStreams,
  workflowFinished,
  workflowStarted,
} from '#domain/workflowRun/runStreams.testing.ts'
import { buildTimeline, findSlowestSpans, getIdleShare, type TimelineSpan } from './timelineSpans.ts'

const fold = (events: readonly RecordedEvent[]): RunState => events.reduce<RunState>(foldRun, emptyRun)
const node = (event: string, data: RecordedEvent): RecordedEvent => ({ event: `node_${event}`, data })
const began = { event: 'workflow_started', data: workflowStarted }
const ended = { event: 'workflow_finished', data: { ...workflowFinished, elapsed_time: 4 } }
const summarize = ({ key, depth, kind, start, end }: TimelineSpan) => [key, depth, kind, start, end]

test('a node begins where its predecessor ended, within the whole second that the platform told', () => {
  const at = workflowStarted.created_at
  const { spans, length } = buildTimeline(
    fold([
      began,
      node('started', { id: 'a', node_id: 'A', created_at: at }),
      node('finished', { id: 'a', node_id: 'A', status: 'succeeded', elapsed_time: 0.4 }),
      node('started', { id: 'b', node_id: 'B', predecessor_node_id: 'A', created_at: at }),
      node('started', { id: 'c', node_id: 'C', predecessor_node_id: 'A', created_at: at + 3 }),
      node('finished', { id: 'b', node_id: 'B', status: 'succeeded', elapsed_time: 2 }),
      node('finished', { id: 'c', node_id: 'C', status: 'failed', error: 'No.', elapsed_time: 0.5 }),
      ended,
    ]),
    99,
  )
  expect(spans.map(summarize)).toEqual([
    ['a', 0, 'node', 0, 0.4],
    ['b', 0, 'node', 0.4, 2.4],
    ['c', 0, 'node', 3, 3.5],
  ])
  expect(length).toBe(4)
})

test('an iteration holds its rounds, and a round its nodes, at the times of the duration map', () => {
  const { spans } = buildTimeline(fold(runStreams.iteration ?? []), 0)
  expect(spans.map(summarize)).toEqual([
    ['i-x', 0, 'holder', 0, 0.5],
    ['i-x:0', 1, 'round', 0, 0.2],
    ['x-5', 2, 'node', 0, 0],
    ['i-x:1', 1, 'round', 0.2, 0.5],
    ['x-6', 2, 'node', 0.2, 0.2],
  ])
  expect(spans.at(-1)?.within).toEqual(['i-x:1', 'i-x'])
})

test('a loop whose first round was not announced has it all the same, with the word of what failed in it', () => {
  const { spans } = buildTimeline(fold(runStreams['loop of an older platform'] ?? []), 0)
  expect(spans.map(({ key, state }) => [key, state])).toEqual([
    ['lo', 'succeeded'],
    ['lo:0', 'exception'],
    ['y-1', 'exception'],
    ['lo:1', 'succeeded'],
    ['y-2', 'succeeded'],
  ])
})

describe('the rounds of an iteration', () => {
  const started = (metadata: object) => ({ event: 'iteration_started', data: { id: 'i', node_id: 'I', metadata } })
  const next = (index: number) => ({ event: 'iteration_next', data: { id: 'i', node_id: 'I', index } })
  const inner = (phase: string, id: string, more: object = {}) =>
    node(phase, { id, node_id: id.slice(0, 1), iteration_id: 'I', ...more })
  const done = (id: string, iteration_index: number, status = 'succeeded') =>
    inner('finished', id, { status, execution_metadata: { iteration_index } })
  const completed = (status: string, iteration_duration_map?: object) => ({
    event: 'iteration_completed',
    data: { id: 'i', node_id: 'I', status, elapsed_time: 2, execution_metadata: { iteration_duration_map } },
  })
  const each = [0, 1, 2, 3].flatMap((at) => [next(at), inner('started', `a${at}`)])
  const burst = [...[0, 1, 2, 3].map(next), ...[0, 1, 2, 3].map((at) => inner('started', `a${at}`))]
  const error = { event: 'error', status: 500, message: 'Off.' }
  const finish = (status: string) => ({ event: 'workflow_finished', data: { ...workflowFinished, status } })
  const parallel = { is_parallel: true, iterator_length: 4 }
  const all = (state: string) => [state, state, state, state]
  test.each<[string, RecordedEvent[], string[]]>([
    ['run at once', [started(parallel), ...each], all('running')],
    ['run at once, announced together', [started(parallel), ...burst], all('running')],
    ['are seen to run at once', [started({}), ...each], all('running')],
    ['are seen to run at once, announced together', [started({}), ...burst], all('running')],
    ['have no end, as one node has', [started(parallel), ...each, done('a0', 0), done('a2', 2)], all('running')],
    ['are cut by an error', [started(parallel), ...each, done('a0', 0), error], all('interrupted')],
    ['are cut by an error after a failed node', [started({}), ...burst, done('a1', 1, 'failed'), error], ['interrupted', 'failed', 'interrupted', 'interrupted']],
    ['are stopped', [started(parallel), ...each, finish('stopped')], all('stopped')],
    ['wait for a person', [started(parallel), ...each, { event: 'workflow_paused', data: {} }], all('paused')],
    ['have no end in a run that has one', [started(parallel), ...each, finish('succeeded')], all('succeeded')],
    ['have all ended', [started(parallel), ...burst, ...[3, 1, 0, 2].map((at) => done(`a${at}`, at)), completed('succeeded')], all('succeeded')],
    ['end with a failed one', [started(parallel), ...each, done('a0', 0), done('a3', 3, 'failed'), completed('failed', { 0: 1 })], ['succeeded', 'interrupted', 'interrupted', 'failed']],
    ['follow each other', [started({ is_parallel: false }), next(0), inner('started', 'a0'), done('a0', 0), next(1), inner('started', 'a1'), error], ['succeeded', 'interrupted']],
    ['follow each other, as seen', [started({}), next(0), inner('started', 'a0'), done('a0', 0), next(1), inner('started', 'b1')], ['succeeded', 'running']],
    ['follow each other, and one has a node without an end', [started({ is_parallel: false }), next(0), inner('started', 'a0'), next(1), inner('started', 'a1'), error], ['unknown', 'interrupted']],
  ])('%s', (_, events, states) => {
    const { spans } = buildTimeline(fold([began, ...events]), 9)
    const rounds = spans.filter(({ kind }) => kind === 'round')
    expect(rounds.map(({ state }) => state)).toEqual(states)
    // Each has its node, and one that runs reaches to now.
    expect(spans.filter(({ depth }) => depth === 2).map(({ within }) => within[0])).toEqual(rounds.map(({ key }) => key))
    for (const { start, end, state } of rounds) if (state === 'running') expect([start, end]).toEqual([0, 9])
  }) // prettier-ignore

  test('a second node of a round stands where the first one has ended', () => {
    const { nodes } = fold([began, started(parallel), ...burst, done('a2', 2), inner('started', 'b'), done('a0', 0), inner('started', 'c')]) // prettier-ignore
    expect(nodes.slice(-2).map(({ round }) => round)).toEqual([2, 0])
  })
})

test('nodes whose times add up to more than the run overlap: none ends after it, and their times are no shares of it', () => {
  const at = workflowStarted.created_at
  const run = (elapsed_time: number) =>
    fold([
      began,
      node('started', { id: 'a', node_id: 'A', created_at: at }),
      node('finished', { id: 'a', node_id: 'A', status: 'succeeded', elapsed_time: 0.129 }),
      node('started', { id: 'b', node_id: 'B', predecessor_node_id: 'A', created_at: at }),
      node('finished', { id: 'b', node_id: 'B', status: 'succeeded', elapsed_time: 0.122 }),
      { event: 'workflow_finished', data: { ...workflowFinished, elapsed_time } },
    ])
  const overlapping = buildTimeline(run(0.138), 0.14)
  expect(overlapping.spans.map(({ key, start, end }) => [key, start, end])).toEqual([
    ['a', 0, 0.129],
    ['b', expect.closeTo(0.016), expect.closeTo(0.138)],
  ])
  expect(overlapping).toMatchObject({ length: expect.closeTo(0.138) as number, isAdditive: false })
  expect(findSlowestSpans(overlapping)).toEqual([])
  // The same nodes in a run that is as long as they are: end to end, with shares.
  const additive = buildTimeline(run(0.251), 0.251)
  expect(additive.spans.map(({ start }) => start)).toEqual([0, 0.129])
  expect(additive.isAdditive).toBe(true)
  expect(findSlowestSpans(additive).map(({ span }) => span.key)).toEqual(['a', 'b'])
})

test('a run that waited for a person is as long as its clock: its elapsed time may be that of its last part', () => {
  const at = workflowStarted.created_at
  const { spans, length, isAdditive } = buildTimeline(
    fold([
      began,
      node('started', { id: 'start', node_id: 'S', created_at: at }),
      node('finished', { id: 'start', node_id: 'S', status: 'succeeded', elapsed_time: 0.2 }),
      node('started', { id: 'llm', node_id: 'L', predecessor_node_id: 'S', created_at: at }),
      node('finished', { id: 'llm', node_id: 'L', status: 'succeeded', elapsed_time: 3 }),
      node('started', { id: 'ask', node_id: 'A', predecessor_node_id: 'L', created_at: at + 3 }),
      { event: 'workflow_paused', data: {} },
      { event: 'workflow_started', data: { ...workflowStarted, reason: 'resumption' } },
      node('finished', { id: 'ask', node_id: 'A', status: 'succeeded', elapsed_time: 0.05 }),
      node('started', { id: 'end', node_id: 'E', predecessor_node_id: 'A', created_at: at + 960 }),
      node('finished', { id: 'end', node_id: 'E', status: 'succeeded', elapsed_time: 0.02 }),
      { event: 'workflow_finished', data: { ...workflowFinished, elapsed_time: 0.07, finished_at: at + 960 } },
    ]),
    0,
  )
  expect(spans.map(({ key, start }) => [key, start])).toEqual([
    ['start', 0],
    ['llm', 0.2],
    ['ask', 3.2],
    ['end', 960],
  ])
  expect(length).toBeCloseTo(960.02)
  expect(isAdditive).toBe(true)
})

test('a retry is a tick where its try ended', () => {
  const [span] = buildTimeline(fold(runStreams.workflow ?? []), 0).spans
  expect(span?.ticks).toEqual([0.3])
})

describe('what still runs', () => {
  const running = [began, node('started', { id: 'a', node_id: 'A' })]
  test('reaches to now', () => {
    expect(buildTimeline(fold(running), 7).spans[0]).toMatchObject({ end: 7, state: 'running' })
  })
  test('lasted until the end of the run, in the state that the run tells of it', () => {
    const state = (more: RecordedEvent[], change: Partial<RunState> = {}) =>
      buildTimeline({ ...fold([...running, ...more]), ended: true, ...change }, 7).spans[0]
    expect(state([])).toMatchObject({ state: 'interrupted', start: 0, end: 7 })
    expect(state([ended])).toMatchObject({ state: 'succeeded', end: 7 })
    expect(state([{ event: 'workflow_finished', data: { status: 'stopped' } }])).toMatchObject({ state: 'stopped' })
    const reported = { at: '', elsewhere: false, because: null }
    expect(state([{ event: 'workflow_finished', data: { status: 'failed' } }], { told: reported })?.state).toBe(
      'unknown',
    )
    expect(buildTimeline(fold([...running, { event: 'workflow_paused', data: {} }]), 7).spans[0]?.state).toBe('paused')
  })
})

test('every node of any stream stands in the timeline once, behind what holds it and not before it', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', null)
  const number = fc.option(fc.oneof(fc.integer({ min: -5, max: 20 }), fc.double({ noNaN: true, min: -1, max: 30 })))
  const event = fc.record({
    event: fc.constantFrom(
      ...['node_started', 'node_finished', 'node_retry', 'iteration_started', 'iteration_next', 'iteration_completed'],
      ...['loop_started', 'loop_next', 'loop_completed', 'workflow_started', 'workflow_finished', 'workflow_paused'],
    ),
    data: fc.record({
      id: ids,
      node_id: ids,
      iteration_id: ids,
      predecessor_node_id: ids,
      index: fc.option(fc.integer({ min: 0, max: 6 })),
      created_at: number,
      elapsed_time: number,
      finished_at: number,
      execution_metadata: fc.option(fc.record({ iteration_index: number, iteration_duration_map: fc.object() })),
    }),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.double({ noNaN: true, min: 0, max: 50 }), (events, until) => {
      const run = fold(events as RecordedEvent[])
      const { spans, length } = buildTimeline(run, until)
      expect(
        spans
          .filter(({ kind }) => kind !== 'round')
          .map(({ key }) => key)
          .sort(),
      ).toEqual(run.nodes.map(({ id }) => id).sort())
      const byKey = new Map(spans.map((span) => [span.key, span]))
      expect(byKey.size).toBe(spans.length)
      for (const [index, { start, end, within, depth, ticks }] of spans.entries()) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(length)
        expect(within.length).toBe(depth)
        for (const tick of ticks) expect(tick >= start && tick <= end).toBe(true)
        for (const key of within) {
          const holder = byKey.get(key)
          expect(holder && spans.indexOf(holder) < index && holder.start <= start && holder.end >= end).toBe(true)
        }
      }
    }),
  )
})

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
