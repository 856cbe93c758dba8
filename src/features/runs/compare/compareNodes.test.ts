import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyEvents } from '#domain/stream/arbitraryEvents.testing.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams, type RecordedEvent } from '#domain/workflowRun/runStreams.testing.ts'
import { compareNodes, findCounterpart } from './compareNodes.ts'

const fold = (events: readonly unknown[]): RunState => events.reduce<RunState>(foldRun, emptyRun)
const runNodes = (node_id: string, elapsed_time: number, status = 'succeeded'): RecordedEvent[] => [
  { event: 'node_started', data: { id: `${node_id}-${elapsed_time}`, node_id, title: node_id } },
  { event: 'node_finished', data: { id: `${node_id}-${elapsed_time}`, node_id, status, elapsed_time } },
]

test('a node is added, gone, slower, faster, failed or mended', () => {
  const before = fold(
    [
      runNodes('slow', 1),
      runNodes('fast', 1),
      runNodes('gone', 1),
      runNodes('bad', 1),
      runNodes('good', 1, 'failed'),
    ].flat(),
  )
  const after = fold(
    [
      runNodes('slow', 2),
      runNodes('fast', 0.5),
      runNodes('bad', 1.1, 'failed'),
      runNodes('good', 1.01),
      runNodes('new', 1),
    ].flat(),
  )
  expect(compareNodes(before, after).map(({ key, kind }) => [JSON.parse(key.split('#')[0] ?? '')[2], kind])).toEqual([
    ['slow', 'slower'],
    ['fast', 'faster'],
    ['bad', 'failed'],
    ['good', 'mended'],
    ['new', 'added'],
    ['gone', 'gone'],
  ])
})

test('a run beside itself is the same, whatever it was, and each node is its own counterpart', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const run = fold(events)
      expect(compareNodes(run, run).every(({ kind, change }) => kind === 'same' && (change ?? 0) === 0)).toBe(true)
      for (const node of run.nodes) expect(findCounterpart(node, run, run)).toBe(node)
    }),
  )
})

test('the rounds of an iteration are compared round by round', () => {
  const run = fold(runStreams.iteration ?? [])
  expect(compareNodes(run, run)).toHaveLength(3)
  const shorter = { ...run, nodes: run.nodes.filter(({ round }) => round !== 1) }
  expect(compareNodes(run, shorter).map(({ kind }) => kind)).toEqual(['same', 'same', 'gone'])
})
