import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import type { Call } from '#contract/console/calls.ts'
import { makeCall } from '../../../client/runRow.testing.ts'
import { findLastReplyJob, findLastReplySettings, toProbeOutcome } from './annotationReply.ts'

const call = (given: Partial<Call>) => makeCall({ entry: 'annotations.reply', ...given })
const enabled = call({
  params: { action: 'enable' },
  request: { score_threshold: 0.8, embedding_provider_name: 'p', embedding_model_name: 'm' },
  reply: { job_id: 'one', job_status: 'waiting' },
})
const disabled = call({ params: { action: 'disable' }, request: { score_threshold: 0.1 }, reply: { job_id: 'two' } })

test('what enabled it is found behind a disabling and a refused try', () => {
  const refused = call({ status: 'failed', params: { action: 'enable' }, request: { score_threshold: 0.5 } })
  expect(findLastReplySettings([refused, disabled, enabled])).toMatchObject({
    score_threshold: 0.8,
    embedding_model_name: 'm',
  })
  expect(findLastReplySettings([refused, disabled])).toBeNull()
})

test('the last job is the newest that was started, with its action', () => {
  expect(findLastReplyJob([disabled, enabled])).toMatchObject({
    job_id: 'two',
    action: 'disable',
    status: null,
    person: 'Ada',
  })
  expect(findLastReplyJob([call({ status: 'unknown', reply: null }), enabled])).toMatchObject({
    job_id: 'one',
    status: 'waiting',
  })
  expect(findLastReplyJob([])).toBeNull()
})

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
