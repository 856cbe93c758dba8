import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { emptyRun, type RunNode, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams } from '#domain/workflowRun/runStreams.testing.ts'
import { NodePanel } from './NodePanel.tsx'
import { renderPage } from '../../../client/page.testing.tsx'

function show(stream: string, id: string, change: Partial<RunNode> = {}) {
  const run = (runStreams[stream] ?? []).reduce<RunState>(foldRun, emptyRun)
  const found = run.nodes.find((one) => one.id === id)
  const node = found && { ...found, ...change }
  if (!node) throw new Error(`the stream has no node ${id}`)
  const onClose = vi.fn()
  renderPage(<NodePanel node={node} run={run} run_id="r" parent={null} onClose={onClose} />)
  return { user: userEvent.setup(), onClose }
}

test('what the platform said of a failure stands before anything else', async () => {
  const { user, onClose } = show('failed workflow', 'x-2')
  const said = screen.getByRole('region', { name: 'Platform message' })
  expect(said.textContent).toContain('No such file.')
  const order = said.compareDocumentPosition(screen.getByRole('tablist'))
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'Close node' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('a node has its tries, its inputs and what an agent logged in it', async () => {
  const { user } = show('workflow', 'x-2')
  expect(screen.getByRole('list', { name: 'retries' }).textContent).toContain('Rate limit.')
  expect(screen.getByRole('tabpanel').textContent).toContain('tea')
  await user.click(screen.getByRole('tab', { name: 'Agent logs' }))
  expect(screen.getByText('CALL search').textContent).toBe('CALL search')
  await user.click(screen.getByRole('tab', { name: 'Process data' }))
  expect(screen.getByRole('tabpanel').textContent).toBe('Not sent by the platform.')
})
