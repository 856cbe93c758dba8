import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useSearchParams } from 'react-router'
import { expect, test, vi } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams } from '#domain/workflowRun/runStreams.testing.ts'
import type { KnownNode } from '#contract/console/runInsights.ts'
import { sampleTurn } from '../turn.testing.ts'
import { Timeline } from './Timeline.tsx'
import { renderPage } from '../../../client/page.testing.tsx'

// jsdom has no layout: a virtual list would draw no row at all.
vi.mock('virtua', () => ({
  Virtualizer: <Row,>({ data, children }: { data: Row[]; children: (row: Row, index: number) => React.ReactNode }) =>
    data.map(children),
}))

function Address() {
  return <output>{useSearchParams()[0].get('node')}</output>
}

function show(stream: string, known?: readonly KnownNode[]) {
  const onChoose = vi.fn()
  const run = (runStreams[stream] ?? []).reduce<RunState>(foldRun, emptyRun)
  const turn = sampleTurn({ entry: 'workflows.run', answer: { ...emptyAnswer, run } })
  renderPage(
    <>
      <Timeline turn={turn} knownNodes={known} knownRuns={12} onSelectNode={onChoose} />
      <Address />
    </>,
  )
  return { user: userEvent.setup(), grid: screen.getByRole('treegrid', { name: 'Timeline' }), onChoose }
}

const names = (grid: HTMLElement) =>
  within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('button').at(-1)?.textContent)

test('an iteration stands with its rounds and their nodes, and folds by the arrow keys', async () => {
  const { user, grid } = show('iteration')
  expect(names(grid)).toEqual(['Each file', 'Round 0', 'Line', 'Round 1', 'Line'])
  grid.focus()
  await user.keyboard('{Home}{ArrowDown}{ArrowLeft}')
  expect(names(grid)).toEqual(['Each file', 'Round 0', 'Round 1', 'Line'])
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(names(grid)).toEqual(['Each file'])
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  expect(names(grid)).toHaveLength(5)
})

test('a node that is chosen stands in the address, and is brought into sight', async () => {
  const { user, grid, onChoose } = show('iteration')
  await user.click(within(grid).getAllByText('Line')[0] as HTMLElement)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('x-5'))
  expect(onChoose).toHaveBeenCalled()
  expect(within(grid).getAllByRole('row')[3]?.getAttribute('aria-selected')).toBe('true')
})

test('what earlier runs had and this one had not is shown when it is asked for, with its source, and has no length', async () => {
  const node = { node_type: 'end', title: 'End', parent: null }
  const { grid, user } = show('failed workflow', [
    { ...node, node_id: 'n-2', title: 'Answer with sources' },
    { ...node, node_id: 'n-9' },
  ])
  expect(names(grid)).toEqual(['Answer with sources'])
  expect(screen.queryByText(/Another version of the workflow/)).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'Nodes seen in other runs (1)' }))
  expect(screen.getByText(/^From the last 12 other runs of this workflow/)).toBeTruthy()
  expect(names(grid)).toEqual(['Answer with sources', 'End'])
  const last = within(grid).getAllByRole('row').at(-1)
  expect(last?.textContent).toContain('not reached')
  expect(
    within(last as HTMLElement)
      .getAllByRole('gridcell')
      .at(-1)?.textContent,
  ).toBe('–')
})

test('the axis is zoomed by steps and by keys, and comes back whole', async () => {
  const { user, grid } = show('workflow')
  const out = () => screen.getByRole('button', { name: 'Zoom out (-)' })
  expect(out().hasAttribute('disabled')).toBe(true)
  grid.focus()
  await user.keyboard('+')
  expect(out().hasAttribute('disabled')).toBe(false)
  await user.keyboard('0')
  expect(out().hasAttribute('disabled')).toBe(true)
})
