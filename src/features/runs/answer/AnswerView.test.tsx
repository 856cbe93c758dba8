import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { END_MARKS, type EndCause } from '#domain/workflowRun/endCauses.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { AnswerView } from './AnswerView.tsx'

const draw = (part: Partial<Turn>) => renderPage(<AnswerView turn={sampleTurn(part)} onCite={vi.fn()} />)
const endMark = (cause: EndCause) => END_MARKS.find((mark) => mark.cause === cause) ?? null

test.each<[string, Partial<Turn>]>([
  ['stopped here', { state: 'stopped', endMark: endMark('step_limit') }],
  ['may be cut here', { state: 'succeeded', endMark: endMark('unmeasured') }],
  ['cut here', { state: 'interrupted' }],
])('the text is marked where it ended early: %s', async (mark, part) => {
  draw(part)
  expect(await screen.findByText(mark)).toBeTruthy()
})

test('a text that output moderation replaced says so, and is not marked as stopped', async () => {
  const answer = { ...emptyAnswer, text: 'Withheld.', replaced: '' }
  draw({ state: 'stopped', endMark: endMark('output_moderation'), answer })
  expect(await screen.findByText('Withheld.')).toBeTruthy()
  expect(screen.getByText('The platform’s output moderation replaced the text of this answer.')).toBeTruthy()
  expect(screen.queryByText('stopped here')).toBeNull()
})
