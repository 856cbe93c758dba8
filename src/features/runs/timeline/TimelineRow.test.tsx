import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { emptyRun, type RunNode, type RunState } from '#domain/workflowRun/runState.ts'
import { iterationStream } from '#domain/workflowRun/runStreams.testing.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { makeTimeScale } from './timeScale.ts'
import { TimelineRow } from './TimelineRow.tsx'

const run = iterationStream.reduce<RunState>(foldRun, emptyRun)
const iteration = run.nodes.find(({ node_id }) => node_id === 'i') as RunNode

/** The bracket of an iteration from `start` to `end` of an axis of 10 s, and its note. */
function drawBracket(start: number, end: number) {
  const { container } = render(
    <MantineProvider>
      <TimelineRow
        span={{
          kind: 'holder',
          key: 'i',
          node: iteration,
          round: null,
          depth: 0,
          start,
          end,
          state: 'succeeded',
          ticks: [],
          within: [],
        }}
        view={{ from: 0, to: 10 }}
        scale={makeTimeScale(10, [], false)}
        id="row"
        index={0}
        isSelected={false}
        isOpen
        onSelect={vi.fn()}
        onToggle={vi.fn()}
      />
    </MantineProvider>,
  )
  const bar = container.querySelector<HTMLElement>('[data-shape="holder"]')
  const note = [...container.querySelectorAll<HTMLElement>('span')].findLast(
    ({ textContent }) => textContent === '2 of 2',
  )
  const { left = '', right = '' } = note?.style ?? {}
  return {
    isRaised: bar?.dataset.raised !== undefined,
    isBelow: note?.dataset.below !== undefined,
    percent: { left: Number.parseFloat(left), right: Number.parseFloat(right) },
  }
}

test('the note of a bracket begins after its end, or ends before its start', () => {
  expect(drawBracket(1, 4)).toMatchObject({ isRaised: false, isBelow: false, percent: { left: 40, right: NaN } })
  expect(drawBracket(5, 9)).toMatchObject({ isRaised: false, isBelow: false, percent: { left: NaN, right: 50 } })
})

test('a bracket without room at its ends is raised, and its note is below its line', () => {
  expect(drawBracket(0, 10)).toMatchObject({ isRaised: true, isBelow: true, percent: { left: NaN, right: 0 } })
})
