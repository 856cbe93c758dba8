import { expect, test } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import { findLastReplyJob, findLastReplySettings } from './annotationReplyCalls.ts'

const call = (given: Partial<Call>): Call => ({
  id: 'a',
  entry: 'annotations.reply',
  status: 'succeeded',
  workspace: 'w',
  key: 'k',
  person: 'Ada',
  user: null,
  title: '',
  note: null,
  parent: null,
  http_status: 200,
  problem: null,
  created_at: '2026-11-21T10:00:00.000Z',
  duration_ms: 5,
  first_token_ms: null,
  total_tokens: null,
  total_price: null,
  currency: null,
  frames: 0,
  ...given,
})
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
