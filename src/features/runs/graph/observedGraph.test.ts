import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyEvents } from '#domain/stream/arbitraryEvents.testing.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { type RecordedEvent, runStreams } from '#domain/workflowRun/runStreams.testing.ts'
import { buildObservedGraph, layOutGraph, NODE_SIZE_PX, type ObservedGraph } from './observedGraph.ts'

const fold = (events: readonly unknown[]): RunState => events.reduce<RunState>(foldRun, emptyRun)
const nodeStarted = (node_id: string, more: RecordedEvent = {}): RecordedEvent => ({
  event: 'node_started',
  data: { id: `x-${node_id}`, node_id, title: node_id, ...more },
})
const arrows = ({ nodes, edges }: ObservedGraph) => {
  const name = (key: string) => nodes.find((one) => one.key === key)?.node.title
  return edges.map(({ from, to, isExplicit }) => `${name(from)} ${isExplicit ? '->' : '..'} ${name(to)}`)
}

test('an edge is what the platform named, or the order in which nodes began, and tells which', () => {
  const run = fold([
    nodeStarted('start'),
    nodeStarted('left', { predecessor_node_id: 'start' }),
    nodeStarted('right', { predecessor_node_id: 'start' }),
    nodeStarted('end', { predecessor_node_id: 'left' }),
    nodeStarted('late'),
    nodeStarted('lost', { predecessor_node_id: 'never seen' }),
  ])
  expect(arrows(buildObservedGraph(run))).toEqual([
    'start -> left',
    'start -> right',
    'left -> end',
    'end .. late',
    'late .. lost',
  ])
})

test('the rounds of an iteration are one node that ran often, within what holds it', () => {
  const graph = buildObservedGraph(fold(runStreams.iteration ?? []))
  expect(
    graph.nodes.map(({ node, parentKey, executionCount }) => [node.title, parentKey !== null, executionCount]),
  ).toEqual([
    ['Each file', false, 1],
    ['Line', true, 2],
  ])
  const places = layOutGraph(graph)
  const [holder, inner] = graph.nodes.map(({ key }) => places.get(key))
  expect(holder?.height).toBeGreaterThan(NODE_SIZE_PX.height)
  expect((inner?.y ?? 0) + NODE_SIZE_PX.height).toBeLessThan(holder?.height ?? 0)
})

test('of several executions the one that went wrong is opened', () => {
  const graph = buildObservedGraph(fold(runStreams['loop of an older platform'] ?? []))
  expect(graph.nodes.find(({ executionCount }) => executionCount === 2)).toMatchObject({
    state: 'exception',
    node: { id: 'y-1' },
  })
})

test('whatever came, each node has a place and each edge two ends in one scope', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const graph = buildObservedGraph(fold(events))
      const places = layOutGraph(graph)
      expect(places.size).toBe(graph.nodes.length)
      const scopes = new Map(graph.nodes.map(({ key, parentKey }) => [key, parentKey]))
      for (const { from, to } of graph.edges) expect(scopes.get(from)).toBe(scopes.get(to))
    }),
  )
})
