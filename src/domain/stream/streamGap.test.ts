import { describe, expect, test } from 'vitest'
import type { AnswerState } from '../answer/answerState.ts'
import type { RunState } from '../workflowRun/runState.ts'
import { eventFolds } from './eventFolds.ts'
import { parseBlockEvent } from './sseBlock.ts'
import { addGapMark, hasOpenGap } from './streamGap.ts'

const gap = { after_frame: 3, from_ms: 4000, to_ms: 21_000 }
const toBlock = (event: object) => `data: ${JSON.stringify(event)}`
const message = (answer: string) => toBlock({ event: 'message', answer })
const afterGap = (block: string) => addGapMark(block, gap)
const workflow = (event: string, data: object) => toBlock({ event, workflow_run_id: 'r', data: { id: 'r', ...data } })
const started = workflow('workflow_started', { workflow_id: 'w' })
const finished = (outputs: object) => workflow('workflow_finished', { status: 'succeeded', outputs })
const end = toBlock({ event: 'message_end', metadata: {} })
const fold = (blocks: string[]) =>
  blocks.map(parseBlockEvent).reduce<AnswerState>(eventFolds.answer.fold, eventFolds.answer.initial)
const foldRun = (blocks: string[]) =>
  blocks.map(parseBlockEvent).reduce<RunState>(eventFolds.workflow.fold, eventFolds.workflow.initial)

describe('an answer with a gap', () => {
  const holed = [started, message('one '), afterGap(message('four ')), message('five')]

  test('is marked where the gap is, from the first event after it', () => {
    expect(fold(holed.slice(0, 3))).toMatchObject({ text: 'one four ', gaps: [{ ...gap, after_chars: 4 }] })
    const ended = fold([...holed, end, finished({})])
    expect([ended.text, ended.ended, hasOpenGap(ended)]).toEqual(['one four five', true, true])
  })

  test('has the text of its outputs, in either order of the ends', () => {
    const whole = finished({ answer: 'one two three four five' })
    for (const ends of [
      [end, whole],
      [whole, end],
    ])
      expect(fold([...holed, ...ends])).toMatchObject({
        text: 'one two three four five',
        gaps: [{ ...gap, after_chars: null }],
      })
  })

  test('keeps a text that is longer than that of its outputs, or that moderation replaced', () => {
    expect(fold([...holed, end, finished({ answer: 'one two' })]).text).toBe('one four five')
    const replace = toBlock({ event: 'message_replace', answer: 'Withheld.', reason: 'output_moderation' })
    const replaced = fold([...holed, replace, finished({ answer: 'one two three four five' })])
    expect(replaced).toMatchObject({ text: 'Withheld.', replaced: 'output_moderation' })
  })

  test('takes the text so far from the snapshot with which the stream goes on, if it is not older', () => {
    const snapshot = (answer: string) => afterGap(toBlock({ event: 'message_replace', answer, reason: '' }))
    const taken = fold([started, message('one '), snapshot('one two '), message('three')])
    expect(taken).toMatchObject({ text: 'one two three', replaced: null, gaps: [{ after_chars: null }] })
    const older = fold([started, message('one '), snapshot('on'), message('three')])
    expect(older).toMatchObject({ text: 'one three', replaced: null, gaps: [{ after_chars: 4 }] })
  })
})

test('without a gap the text is what came, whatever the outputs say', () => {
  const answer = fold([started, message('one two'), end, finished({ answer: 'one two three' })])
  expect(answer.text).toBe('one two')
})

test('the text of a workflow with a gap is that of the output which it is a part of', () => {
  const chunk = (text: string) => workflow('text_chunk', { text })
  const blocks = [started, chunk('one '), afterGap(chunk('three'))]
  expect(foldRun([...blocks, finished({ text: 'one two three' })])).toMatchObject({
    text: 'one two three',
    gaps: [{ after_chars: null }],
  })
  expect(foldRun([...blocks, finished({ text: 'other' })])).toMatchObject({
    text: 'one three',
    gaps: [{ after_chars: 4 }],
  })
})
