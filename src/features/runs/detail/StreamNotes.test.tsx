import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { sampleTurn } from '../turn.testing.ts'
import { StreamNotes } from './StreamNotes.tsx'

const draw = (...events: unknown[]) => {
  const answer = events.reduce<AnswerState>(foldAnswer, emptyAnswer)
  render(<StreamNotes turn={sampleTurn({ answer })} />)
  return screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
}
const word = (answer: string) => ({ event: 'message', answer })
const end = { event: 'message_end', metadata: {} }

test('a stream as it should be has no notes, nor has one with events of a new name', () => {
  expect(draw(word('All well.'), { event: 'something_new' }, end)).toEqual([])
})

test('what is no event is counted', () => {
  expect(draw(word('a'), '{"event":"mess', { words: 'b' }, end)).toEqual([
    '2 frames are not valid events: their data is not a JSON object with an event name. See Frames.',
  ])
})

test('what was not seen of a run that was taken up again is said', () => {
  const answer = [word('a'), end].reduce<AnswerState>(foldAnswer, emptyAnswer)
  const gaps = [{ after_frame: 1, from_ms: 12_400, to_ms: 15_100 }]
  render(<StreamNotes turn={sampleTurn({ answer, gaps })} />)
  expect(screen.getByRole('listitem').textContent).toContain('between 12.4 s and 15.1 s was not seen')
})

test('what came after the end is said not to be in the answer', () => {
  expect(draw(word('a'), end, end)).toEqual([
    '1 event arrived after the end of the answer and is not part of it. See Frames.',
  ])
})

test('text that was damaged says so', () => {
  expect(draw(word('Before \uFFFD after'), end)).toEqual([
    'Invalid UTF-8 is shown as \uFFFD. Frames has the original bytes.',
  ])
})
