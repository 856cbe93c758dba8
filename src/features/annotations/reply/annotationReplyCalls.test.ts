import { expect, test } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import { makeCall } from '../../../client/runRow.testing.ts'
import { findLastReplyJob, findLastReplySettings } from './annotationReplyCalls.ts'

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
