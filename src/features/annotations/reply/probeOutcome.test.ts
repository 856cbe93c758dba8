import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { toProbeOutcome } from './probeOutcome.ts'

const row = { id: 'one', answer: 'At nine. ' }
const getOutcome = (annotation_reply: unknown, text = 'At nine.', state: 'succeeded' | 'failed' = 'succeeded') =>
  toProbeOutcome({ state, answer: { ...emptyAnswer, text, annotation_reply } }, row)

test('a probe says what the reply tells, and no more', () => {
  expect(getOutcome({ id: 'one', score: 0.93 })).toEqual({ outcome: 'stored', annotation_id: 'one', score: 0.93 })
  expect(getOutcome({ id: 'one', account: { name: 'Ada' } })).toEqual({
    outcome: 'stored',
    annotation_id: 'one',
    score: null,
  })
  expect(getOutcome({ id: 'two', score: 1 })).toMatchObject({ outcome: 'other', annotation_id: 'two' })
  expect(getOutcome(null)).toEqual({ outcome: 'words', annotation_id: null, score: null })
  expect(getOutcome(null, 'At ten.')).toMatchObject({ outcome: 'own' })
  expect(getOutcome({ score: 'high' }, 'At ten.')).toEqual({ outcome: 'own', annotation_id: null, score: null })
  expect(getOutcome([], '', 'failed')).toMatchObject({ outcome: 'failed' })
})
