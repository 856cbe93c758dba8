import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyEvents } from '#contract/events.testing.ts'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { runStreams, type StreamEvent } from '#contract/run-streams.testing.ts'
import { compareNodes, counterpartOf } from './nodes.ts'

const fold = (events: readonly unknown[]): RunState => events.reduce<RunState>(foldRun, emptyRun)
const ran = (node_id: string, elapsed_time: number, status = 'succeeded'): StreamEvent[] => [
  { event: 'node_started', data: { id: `${node_id}-${elapsed_time}`, node_id, title: node_id } },
  { event: 'node_finished', data: { id: `${node_id}-${elapsed_time}`, node_id, status, elapsed_time } },
]

test('a node is added, gone, slower, faster, failed or mended', () => {
  const before = fold([ran('slow', 1), ran('fast', 1), ran('gone', 1), ran('bad', 1), ran('good', 1, 'failed')].flat())
  const after = fold(
    [ran('slow', 2), ran('fast', 0.5), ran('bad', 1.1, 'failed'), ran('good', 1.01), ran('new', 1)].flat(),
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
      for (const node of run.nodes) expect(counterpartOf(node, run, run)).toBe(node)
    }),
  )
})

test('the rounds of an iteration are compared round by round', () => {
  const run = fold(runStreams.iteration ?? [])
  expect(compareNodes(run, run)).toHaveLength(3)
  const shorter = { ...run, nodes: run.nodes.filter(({ round }) => round !== 1) }
  expect(compareNodes(run, shorter).map(({ kind }) => kind)).toEqual(['same', 'same', 'gone'])
})
