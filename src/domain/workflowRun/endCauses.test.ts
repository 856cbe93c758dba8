import { expect, test } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { type RecordedExchange, readSharedRecordings } from '#support/recordings/recordings.ts'
import { type AnswerState, emptyAnswer } from '../answer/answerState.ts'
import { foldAnswer } from '../answer/foldAnswer.ts'
import { parseBlockEvent } from '../stream/sseBlock.ts'
import { END_MARKS, findEndMark, findErrorCause, isStopCause, isZeroUsage } from './endCauses.ts'
import { toMeasuredAnswer } from './runEnd.ts'
import { emptyRun, type RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'

const started = { event: 'workflow_started', data: { id: 'r' } }
const finished = (status: string, error: string | null) => ({
  event: 'workflow_finished',
  data: { status, error, outputs: {}, total_tokens: 0 },
})
const word = { event: 'message', answer: 'word' }
const zeros = {
  prompt_tokens: 0,
  completion_tokens: 0,
  completion_unit_price: '0.002',
  total_tokens: 0,
  total_price: '0E-7',
  currency: 'USD',
  latency: 2.4,
}
const messageEnd = (usage: object) => ({ event: 'message_end', metadata: { usage } })
const replaced = { event: 'message_replace', answer: 'Withheld.', reason: '' }
const run = (...events: unknown[]) => events.reduce<RunState>(foldRun, emptyRun)
const answer = (...events: unknown[]) => events.reduce<AnswerState>(foldAnswer, emptyAnswer)

/** One end for each row of the table, in its order. */
const ENDS: [cause: string, end: AnswerState | RunState][] = [
  ['stop', run(started, finished('failed', 'Aborted: User requested stop'))],
  ['stop', run(started, finished('stopped', 'Aborted: App task was stopped'))],
  ['stop_or_time_limit', answer(started, word, finished('stopped', 'Stopped by user.'))],
  ['step_limit', run(started, finished('stopped', 'Aborted: Maximum execution steps exceeded: 501 > 500'))],
  ['time_limit', run(started, finished('stopped', 'Aborted: Maximum execution time exceeded: 1200.1 > 1200'))],
  ['time_limit', answer(started, finished('stopped', 'App execution exceeded 1200 seconds'))],
  ['worker_shutdown', run(finished('stopped', 'Aborted: Workflow stopped because the worker is shutting down.'))],
  ['output_moderation', answer(started, word, finished('stopped', 'Stopped by output moderation.'))],
  [
    'abandoned_pause',
    run(finished('stopped', 'Aborted: Client response stream closed before app execution completed')),
  ],
  ['output_moderation', answer(word, replaced, messageEnd(zeros))],
  ['unmeasured', answer(word, messageEnd(zeros))],
]

test.each(ENDS.map(([cause, end], row) => ({ row, cause, end })))(
  'row $row names its end: $cause',
  ({ row, cause, end }) => {
    expect(findEndMark(end)).toBe(END_MARKS[row])
    expect(END_MARKS[row]?.cause).toBe(cause)
  },
)

test('each row has its test', () => expect(ENDS).toHaveLength(END_MARKS.length))

test.each<[string, AnswerState | RunState]>([
  ['an answer with figures', answer(word, messageEnd({ ...zeros, total_tokens: 3 }))],
  [
    'an answer without a model, as from an annotation',
    answer(word, messageEnd({ ...zeros, completion_unit_price: '0.0' })),
  ],
  ['a workflow that succeeded without a model', answer(started, finished('succeeded', null), messageEnd(zeros))],
  ['another error', run(started, finished('failed', 'The node said “Aborted: User requested stop”'))],
  ['a stop without its text', run(started, finished('stopped', null))],
  ['a run that goes on', answer(started, word, replaced)],
])('%s has no cause', (_, state) => expect(findEndMark(state)).toBeNull())

test('the error of a failed chatflow repeats that of its workflow', () => {
  expect(findErrorCause('Run failed: Aborted: User requested stop')).toBe('stop')
  expect(findErrorCause(null)).toBeNull()
})

test('only a stop, or a text that is also that of a stop, may be ours', () => {
  const ours = END_MARKS.filter(({ cause }) => isStopCause(cause)).map(({ since, mark }) => [since, mark])
  expect(ours).toEqual([
    ['1.9.2', 'Aborted: User requested stop'],
    ['1.16.0', 'Aborted: App task was stopped'],
    ['1.9.2', 'Stopped by user.'],
  ])
})

test('zeros of an early end are no measurement; those of a complete answer are', () => {
  expect(toMeasuredAnswer(answer(word, messageEnd(zeros)), false).usage).toBeNull()
  expect(toMeasuredAnswer(answer(word, replaced, messageEnd(zeros)), false).usage).toBeNull()
  const free = answer(word, messageEnd({ ...zeros, completion_unit_price: '0.0' }))
  expect(toMeasuredAnswer(free, false)).toBe(free)
  expect(toMeasuredAnswer(free, true).usage).toBeNull()
  expect(isZeroUsage(null)).toBe(false)
})

test('a stopped answer has not failed, and keeps the figures that were counted', () => {
  const stopped = answer(started, finished('failed', 'Aborted: User requested stop'), messageEnd(zeros))
  expect(toMeasuredAnswer(stopped, true)).toMatchObject({
    problem: null,
    usage: null,
    run: { status: 'stopped', total_tokens: null },
  })
  expect(toMeasuredAnswer(answer(messageEnd({ ...zeros, total_tokens: 3 })), true).usage?.total_tokens).toBe(3)
  expect(toMeasuredAnswer(answer(messageEnd(zeros)), true).run).toEqual(emptyRun)
  expect(toMeasuredAnswer(answer(started, word), true).run.status).toBe('running')
})

describeWith(requirements.sharedData('real-servers/dify-1.16.1.jsonl'))('ends that were recorded', () => {
  const exchanges = readSharedRecordings().flatMap(({ name, exchanges: all }) =>
    all.map((exchange) => ({ release: name, exchange })),
  )
  const fold = ({ request, response }: RecordedExchange) => {
    const events = response.body.split('\n\n').map(parseBlockEvent)
    return request.path.startsWith('/workflow') ? run(...events) : answer(...events)
  }

  test.each([
    ['dify-1.9', 'chat, stopped', 'unmeasured'],
    ['dify-1.9', 'chatflow, stopped', 'stop_or_time_limit'],
    ['dify-1.9', 'llmflow, stopped', 'stop'],
    ['dify-1.16', 'chat, stopped', 'unmeasured'],
    ['dify-1.16', 'chatflow, stopped', 'stop'],
    ['dify-1.16', 'llmflow, stopped', 'stop'],
    ['dify-1.16.1', 'chat, stopped by its user', 'unmeasured'],
    ['dify-1.16.1', 'completion, stopped by its user', 'unmeasured'],
    ['dify-1.16.1', 'new agent, stopped by its user', 'unmeasured'],
    ['dify-1.16.1', 'chatflow, stopped by its user', 'stop'],
    ['dify-1.16.1', 'llmflow, stopped', 'stop'],
    // Nothing in these streams says that they were stopped.
    ['dify-1.16.1', 'chat, stopped by its user, tokens counted by plugins', undefined],
    ['dify-1.16.1', 'agent-chat, stopped by its user, tokens counted by plugins', undefined],
    ['dify-1.16.1', 'chat, replaced by output moderation, streaming', 'output_moderation'],
    ['dify-1.16.1', 'chatflow, replaced by output moderation, streaming', 'output_moderation'],
    ['dify-1.16.1', 'chat, answered by an annotation', undefined],
    ['dify-1.16.1', 'chat, refused by input moderation, streaming', undefined],
  ])('%s: %s is %s', (release, name, cause) => {
    const found = exchanges.find((one) => one.release === release && one.exchange.name === name)
    expect(found && findEndMark(fold(found.exchange))?.cause).toBe(cause)
    expect(found).toBeDefined()
  })
})
