import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { AnnotationMark } from './AnswerFooter.tsx'

const show = (annotation_reply: unknown, app: string | null = 'k') =>
  renderPage(<AnnotationMark answer={{ ...emptyAnswer, annotation_reply }} workspace="w" app={app} />)

test('an answer out of an annotation says so, with its author and a link to it', () => {
  show({ id: 'a1', account: { id: 'o', name: 'Owner' } })
  expect(screen.getByText('Answer from an annotation (Owner)')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Open annotation' }).getAttribute('href')).toBe(
    '/annotations?workspace=w&app=k&annotation=a1',
  )
})

test('without the key there is no link, and an answer of the model has no mark', () => {
  const { unmount } = show({ id: 'a1' }, null)
  expect(screen.getByText('Answer from an annotation')).toBeDefined()
  expect(screen.queryByRole('link')).toBeNull()
  unmount()
  show(null)
  expect(screen.queryByText(/annotation/)).toBeNull()
})

test('an answer before the workflow of a chatflow says so, an error does not', () => {
  const answer = { ...emptyAnswer, run_after_end: emptyRun }
  const { unmount } = renderPage(<AnnotationMark answer={answer} workspace="w" app="k" />)
  expect(screen.getByText('Answered before the workflow ran')).toBeDefined()
  unmount()
  const problem = { status: 400, code: null, message: 'No model.' }
  renderPage(<AnnotationMark answer={{ ...answer, problem }} workspace="w" app="k" />)
  expect(screen.queryByText(/workflow ran/)).toBeNull()
})
