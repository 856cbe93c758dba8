import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { NodeList } from './AnswerSteps.tsx'

const toRun = (end: object) =>
  [
    { event: 'workflow_started', workflow_run_id: 'r', data: { id: 'r', created_at: 100 } },
    { event: 'node_started', data: { id: 'a', node_id: 'a', title: 'Assign', created_at: 100 } },
    {
      event: 'node_finished',
      data: { id: 'a', node_id: 'a', title: 'Assign', elapsed_time: 0.004, status: 'succeeded' },
    },
    { event: 'node_started', data: { id: 'b', node_id: 'b', title: 'LLM', created_at: 101 } },
    { event: 'workflow_finished', workflow_run_id: 'r', data: { id: 'r', elapsed_time: 27.2, ...end } },
  ].reduce(foldRun, emptyRun)
const readHead = () => screen.getByText(/Nodes|nodes/).closest('summary')?.textContent

test('a node whose end was not seen is the slowest one, where it is known when its run ended', () => {
  renderPage(<NodeList run={toRun({ status: 'stopped', finished_at: 128 })} isOpen />)
  expect(readHead()).toContain('slowest: LLM, 27.0 s')
})

test('no node is called the slowest while it is not known how long one of them took', () => {
  renderPage(<NodeList run={toRun({ status: 'stopped' })} isOpen />)
  expect(readHead()).not.toContain('slowest')
})

test('a node whose end was not seen has succeeded with its run, and does not run any more', () => {
  renderPage(<NodeList run={toRun({ status: 'succeeded', finished_at: 128 })} isOpen />)
  expect(screen.getByText('LLM', { selector: 'ol *' }).closest('summary')?.textContent).toBe('LLM')
})
