import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyEvents } from '#contract/events.testing.ts'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { runStreams, type StreamEvent } from '#contract/run-streams.testing.ts'
import { graphOf, type SeenGraph } from './graph.ts'
import { placesOf, SIZE } from './layout.ts'

const fold = (events: readonly unknown[]): RunState => events.reduce<RunState>(foldRun, emptyRun)
const begun = (node_id: string, more: StreamEvent = {}): StreamEvent => ({
  event: 'node_started',
  data: { id: `x-${node_id}`, node_id, title: node_id, ...more },
})
const arrows = ({ nodes, edges }: SeenGraph) => {
  const name = (key: string) => nodes.find((one) => one.key === key)?.node.title
  return edges.map(({ from, to, isTold }) => `${name(from)} ${isTold ? '->' : '..'} ${name(to)}`)
}

test('an edge is what the platform named, or the order in which nodes began, and tells which', () => {
  const run = fold([
    begun('start'),
    begun('left', { predecessor_node_id: 'start' }),
    begun('right', { predecessor_node_id: 'start' }),
    begun('end', { predecessor_node_id: 'left' }),
    begun('late'),
    begun('lost', { predecessor_node_id: 'never seen' }),
  ])
  expect(arrows(graphOf(run))).toEqual(['start -> left', 'start -> right', 'left -> end', 'end .. late'])
})

test('the rounds of an iteration are one node that ran often, within what holds it', () => {
  const graph = graphOf(fold(runStreams.iteration ?? []))
  expect(graph.nodes.map(({ node, within, times }) => [node.title, within !== null, times])).toEqual([
    ['Each file', false, 1],
    ['Line', true, 2],
  ])
  const places = placesOf(graph)
  const [holder, inner] = graph.nodes.map(({ key }) => places.get(key))
  expect(holder?.height).toBeGreaterThan(SIZE.height)
  expect((inner?.y ?? 0) + SIZE.height).toBeLessThan(holder?.height ?? 0)
})

test('of several executions the one that went wrong is opened', () => {
  const graph = graphOf(fold(runStreams['loop of an older platform'] ?? []))
  expect(graph.nodes.find(({ times }) => times === 2)).toMatchObject({ state: 'exception', node: { id: 'y-1' } })
})

test('whatever came, each node has a place and each edge two ends in one scope', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const graph = graphOf(fold(events))
      const places = placesOf(graph)
      expect(places.size).toBe(graph.nodes.length)
      const scopes = new Map(graph.nodes.map(({ key, within }) => [key, within]))
      for (const { from, to } of graph.edges) expect(scopes.get(from)).toBe(scopes.get(to))
    }),
  )
})
