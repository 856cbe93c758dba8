import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { NodeList } from './NodeList.tsx'

const node = (id: string, elapsed_time: number | null) => ({
  event: elapsed_time === null ? 'node_started' : 'node_finished',
  data: { id, node_id: id, node_type: 'code', title: `Node ${id}`, index: 1, status: 'succeeded', elapsed_time },
})
const end = { event: 'workflow_finished', data: { id: 'r', status: 'succeeded', elapsed_time: 2.5 } }

const show = (...events: unknown[]) =>
  render(
    <MantineProvider>
      <NodeList run={events.reduce<RunState>(foldRun, emptyRun)} />
    </MantineProvider>,
  )
const getSummary = () => screen.getByText(/^\d+ nodes?$/).closest('summary')?.textContent

test('the folded list says how long the run took and which node was slowest', () => {
  show(node('a', 0.2), node('b', 1.9), node('c', 0.3), end)
  expect(getSummary()).toBe('3 nodes2.50 sslowest: Node b, 1.90 s')
})

test('one node is not the slowest of anything, and a run that goes on names the node it is at', () => {
  const { unmount } = show(node('a', 0.2), end)
  expect(getSummary()).toBe('1 node2.50 s')
  unmount()
  show(node('a', 0.2), node('b', null))
  expect(getSummary()).toBe('2 nodesNode b')
})
