import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { AnswerView } from '../answer/AnswerView.tsx'
import type { Turn } from '../turn.ts'
import { sampleTurn } from '../turn.testing.ts'
import { StreamNotes } from './RunStatusBar.tsx'

const gap = { after_frame: 3, from_ms: 4000, to_ms: 21_000 }
const show = (turn: Turn) =>
  renderPage(
    <>
      <StreamNotes turn={turn} />
      <AnswerView turn={turn} onCite={() => undefined} />
    </>,
  )

test('a gap is marked in the text until the platform has given the part, also while the run goes on', async () => {
  const answer = { ...emptyAnswer, text: 'one two five', gaps: [{ ...gap, after_chars: 8 }] }
  const { unmount } = show(sampleTurn({ state: 'streaming', answer }))
  const mark = await screen.findByText('text may be missing here')
  expect(mark.closest('p')?.textContent).toBe('one twotext may be missing here')
  expect(screen.getByText(/between 4.00 s and 21.0 s .* part of the text may be missing\.$/)).toBeDefined()
  unmount()
  show(sampleTurn({ answer: { ...answer, text: 'one two three', gaps: [{ ...gap, after_chars: null }] } }))
  expect(await screen.findByText('one two three')).toBeDefined()
  expect(screen.queryByText('text may be missing here')).toBeNull()
  expect(screen.getByText(/the text is from the platform’s record\.$/)).toBeDefined()
})

test('a record that is shorter than what came, and a run that reads differently after an upgrade, are named', () => {
  const run = { ...emptyRun, outputs: { answer: 'one' } }
  show(sampleTurn({ answer: { ...emptyAnswer, text: 'one two', run }, earlier_status: 'refused' }))
  expect(screen.getByText(/\(outputs\.answer\) has 3 characters, its stream 7\./)).toBeDefined()
  expect(screen.getByText(/stored this run as refused/)).toBeDefined()
})

test('late events of the workflow of a chatflow are counted', () => {
  show(sampleTurn({ answer: { ...emptyAnswer, text: 'one', late: 1, run: { ...emptyRun, late: 1 } } }))
  expect(screen.getByText(/^2 events arrived after the end/)).toBeDefined()
})
