import { expect, test } from 'vitest'
import { type AnswerState, emptyAnswer } from '../answer/answerState.ts'
import { foldAnswer } from '../answer/foldAnswer.ts'
import { maskFormTokens, maskFormTokenText } from './formTokens.ts'
import { getNodeSeconds, getNodeState, getRunSeconds, isRefusedForm } from './runEnd.ts'
import { emptyRun, type RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'

const ids = { task_id: 't', workflow_run_id: 'r' }
const started = { event: 'workflow_started', ...ids, data: { id: 'r', created_at: 1_795_361_504, inputs: {} } }
const node = { event: 'node_started', ...ids, data: { id: 'e', node_id: 'llm', node_type: 'llm', title: 'LLM' } }
const aborted = {
  event: 'workflow_finished',
  ...ids,
  data: {
    status: 'failed',
    outputs: {},
    error: 'Aborted: User requested stop',
    elapsed_time: 2.65,
    total_tokens: 0,
    total_steps: 2,
  },
}
const refused = {
  event: 'workflow_finished',
  ...ids,
  data: { status: 'failed', outputs: null, error: 'query is required in input form', total_steps: 0, created_by: {} },
}
const run = (...events: unknown[]) => events.reduce<RunState>(foldRun, emptyRun)
const answer = (...events: unknown[]) => events.reduce<AnswerState>(foldAnswer, emptyAnswer)

test('a refused form fails before its first node and has no outputs, in a workflow and in a chatflow', () => {
  expect(isRefusedForm(run(started, refused))).toBe(true)
  expect(isRefusedForm(answer(started, refused).run)).toBe(true)
  expect(isRefusedForm(run(started, node, refused))).toBe(false)
  expect(isRefusedForm(run(started, aborted))).toBe(false)
})

test('a node whose end was not seen has the state that its run tells of it', () => {
  const state = (...events: unknown[]) => {
    const folded = run(started, node, ...events)
    const [first] = folded.nodes
    return first && getNodeState(first, folded)
  }
  expect(state()).toBe('running')
  expect(state({ ...aborted, data: { status: 'stopped' } })).toBe('stopped')
  expect(state({ event: 'workflow_paused', data: {} })).toBe('paused')
  expect(state({ ...aborted, data: { status: 'succeeded' } })).toBe('succeeded')
  expect(state({ ...aborted, data: { status: 'partial-succeeded' } })).toBe('unknown')
  expect(state({ event: 'error', status: 500, message: 'Off.' })).toBe('interrupted')
})

test('a node whose end was not seen took the time until the end of its run', () => {
  const events = [
    started,
    { event: 'node_started', data: { id: 'a', node_id: 'a', created_at: 100 } },
    { event: 'node_finished', data: { id: 'a', node_id: 'a', elapsed_time: 0.004, status: 'succeeded' } },
    { event: 'node_started', data: { id: 'b', node_id: 'b', created_at: 101 } },
  ]
  const seconds = (end: object) => {
    const folded = run(...events, { event: 'workflow_finished', data: { status: 'stopped', ...end } })
    return folded.nodes.map((one) => getNodeSeconds(one, folded))
  }
  expect(seconds({ finished_at: 128 })).toEqual([0.004, 27])
  expect(seconds({})).toEqual([0.004, null])
})

test('the duration of a run is the platform’s; of a resumed one the clock tells more than its last part', () => {
  expect(getRunSeconds({ ...emptyRun, elapsed_time: 7.97, created_at: 100, finished_at: 108 })).toBe(7.97)
  expect(getRunSeconds({ ...emptyRun, elapsed_time: 0.07, created_at: 100, finished_at: 1_060 })).toBe(960)
  expect(getRunSeconds(emptyRun)).toBeNull()
})

test('the token of a form is masked, as value and in text', () => {
  const event = { reasons: [{ form_token: 'uOLdlbVl"AGr', node_id: 'human' }] }
  expect(JSON.stringify(maskFormTokens(event))).not.toContain('uOLd')
  expect(maskFormTokens(event)).toMatchObject({ reasons: [{ node_id: 'human' }] })
  const text = maskFormTokenText(JSON.stringify(event))
  expect(text).not.toContain('uOLd')
  expect(JSON.parse(text)).toMatchObject({ reasons: [{ node_id: 'human' }] })
})
