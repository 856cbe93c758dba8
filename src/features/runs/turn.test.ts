import { expect, test } from 'vitest'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import type { Run } from '#contract/console/runs.ts'
import { makeRun, makeRunView } from '../../client/runRow.testing.ts'
import type { RunView } from '../../client/runStore.ts'
import { isTurnOver, mayBeCut, toTurn } from './turn.ts'

const began = Date.parse(makeRun().created_at)
const run = (part: Partial<Run>) =>
  makeRun({
    user: 'mira',
    title: 'What is it?',
    conversation_id: 'c',
    frames: 9,
    first_frame_ms: 100,
    first_token_ms: 300,
    duration_ms: 2_000,
    request: { query: 'What is it?', user: 'mira', inputs: { a: 1 }, response_mode: 'streaming' },
    answer: { ...emptyAnswer, text: 'whole' },
    ...part,
  })
const view = (part: Partial<RunView<AnswerState>>) =>
  makeRunView({
    state: { ...emptyAnswer, text: 'so far' },
    frames: 3,
    first_frame_at: began + 5_000,
    last_frame_at: began + 6_000,
    last_frame_ms: 5_900,
    first_token_ms: 428,
    ...part,
  })

test('a run that has ended is what the server tells', () => {
  const turn = toTurn(run({}), null)
  expect(turn).toMatchObject({ state: 'succeeded', answer: { text: 'whole' }, first_token_ms: 300, duration_ms: 2_000 })
  expect(turn?.question).toMatchObject({ query: 'What is it?', user: 'mira', inputs: { a: 1 } })
})

test('a run that this browser watches is what its line has brought', () => {
  const turn = toTurn(run({ status: 'streaming', first_token_ms: null }), view({}))
  expect(turn).toMatchObject({ state: 'streaming', answer: { text: 'so far' }, frames: 3, last_frame_ms: 5_900 })
  // A page that was reloaded catches up with frames that came before.
  expect(turn?.last_frame_at).toBe(began + 5_900)
  // It joined late: the time is the one that the server told with the frame.
  expect(turn?.first_token_ms).toBe(428)
})

test('times of a run begun here are this browser’s until the row is whole', () => {
  const sent = { key: 'k', parent: null, body: { query: 'q', user: 'u' } }
  const own = view({ sent, sent_at: began, first_frame_at: began + 510 })
  expect(toTurn(null, own)).toMatchObject({ first_token_ms: 428, duration_ms: null, question: { query: 'q' } })
  expect(toTurn(null, { ...own, phase: 'ended', run: run({}) })).toMatchObject({
    first_token_ms: 300,
    duration_ms: 2_000,
  })
})

test('the row that ends a stream leaves out what was sent: the question stays whole', () => {
  const ended = { ...run({ title: 'What…' }), request: undefined, answer: undefined }
  const turn = toTurn(run({ status: 'streaming' }), view({ phase: 'ended', run: ended }))
  expect(turn).toMatchObject({ state: 'succeeded', question: { query: 'What is it?', user: 'mira' } })
})

test('a row that has ended wins over a line that is still coming', () => {
  expect(toTurn(run({}), view({}))).toMatchObject({ state: 'succeeded', answer: { text: 'whole' } })
})

test('a stored row of a run that is not resolved wins over the end of its stream, also in the same status', () => {
  const answer = { ...emptyAnswer, text: 'up to the second form' }
  for (const status of ['paused', 'unknown', 'interrupted'] as const) {
    const ended = view({ phase: 'ended', run: run({ status, answer: undefined }) })
    expect(toTurn(run({ status, answer, frames: 12 }), ended)).toMatchObject({ state: status, answer, frames: 12 })
    expect(toTurn(run({ status, answer: undefined }), ended)).toMatchObject({ answer: { text: 'so far' } })
    expect(toTurn(run({ status, answer, frames: 8 }), ended)).toMatchObject({ answer: { text: 'so far' } })
  }
})

test('the state says what stands in the way', () => {
  const state = (part: Partial<RunView<AnswerState>>) => toTurn(null, view(part))?.state
  expect(state({ connection: { state: 'sending' } })).toBe('sending')
  expect(state({ phase: 'away' })).toBe('away')
  expect(state({ phase: 'unsent' })).toBe('unsent')
  expect(state({ phase: 'refused', problem: { kind: 'denied', message: 'no' } })).toBe('refused')
  expect(state({ phase: 'ended', run: run({ status: 'interrupted' }) })).toBe('interrupted')
  // The reply came, its row could not be read: nobody can say how it ended.
  expect(state({ phase: 'ended' })).toBe('unknown')
})

test('an early end has its mark and no figures that were not measured', () => {
  const zeros = { total_tokens: 0, total_price: '0E-7', completion_unit_price: '0.002', latency: 2 }
  const answer = { ...emptyAnswer, text: 'cut', ended: true, usage: zeros }
  const cut = toTurn(run({ answer }), null)
  expect(cut).toMatchObject({ endMark: { cause: 'unmeasured' }, answer: { usage: null } })
  expect(cut && mayBeCut(cut)).toBe(true)
  // The stream has ended, its run has not: a stop may be known by then.
  expect(toTurn(run({ status: 'streaming' }), view({ state: answer }))).toMatchObject({ endMark: null })
  expect(toTurn(run({ status: 'stopped', answer }), null)).toMatchObject({ endMark: null, answer: { usage: null } })
  const error = 'Aborted: Maximum execution steps exceeded: 501 > 500'
  const limited = { ...emptyAnswer, run: { ...emptyRun, status: 'stopped', error, ended: true, total_tokens: 0 } }
  expect(toTurn(run({ status: 'stopped', answer: limited }), null)).toMatchObject({
    endMark: { cause: 'step_limit' },
    answer: { run: { total_tokens: null } },
  })
})

test('over is what brings no more words to this browser by itself', () => {
  const over = (part: Partial<RunView<AnswerState>>) =>
    isTurnOver(toTurn(null, view(part)) as NonNullable<ReturnType<typeof toTurn>>)
  expect([over({}), over({ phase: 'away' }), over({ phase: 'unsent' }), over({ phase: 'refused' })]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
