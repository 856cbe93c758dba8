import { describe, expect, test } from 'vitest'
import { emptyAnswer, type AnswerState } from './answerState.ts'
import { foldAnswer } from './foldAnswer.ts'
import { emptyRun } from '../workflowRun/runState.ts'
import { expectValid, ValidAnswer } from '../stream/foldedStates.testing.ts'
import * as streams from './answerStreams.testing.ts'

const fold = (events: unknown[], from: AnswerState = emptyAnswer) => events.reduce<AnswerState>(foldAnswer, from)
const error = { event: 'error', message_id: 'm-1', status: 400, code: 'completion_request_error', message: 'No model.' }

describe('a recorded stream', () => {
  test.each(Object.entries(streams.answerStreams))('%s: ends, and its state is valid', (_, events) => {
    const answer = fold(events)
    expectValid(ValidAnswer, answer)
    expect(answer).toMatchObject({ ended: true, late: 0, unknown: [], message_id: 'm-1', task_id: 't-1' })
  })

  test('chat: text, sources, usage and ids; no workflow', () => {
    expect(fold(streams.chatStream)).toMatchObject({
      text: 'Steep it briefly.',
      conversation_id: 'c-1',
      created_at: 1_795_000_000,
      usage: streams.usage,
      sources: [{ document_name: 'Green.md', segment_id: 's-1' }],
      run: emptyRun,
      problem: null,
    })
  })

  test('chat with a file: deltas under message_file are text, the file is one file', () => {
    const { text, files } = fold(streams.chatWithFileStream)
    expect(text).toBe('A green leaf.')
    expect(files).toEqual([
      {
        id: 'f-1',
        type: 'image',
        belongs_to: 'assistant',
        url: '/files/f-1.png?sign=y',
        filename: 'leaf.png',
        mime_type: 'image/png',
        size: 2048,
      },
    ])
  })

  test('completion: a replacement takes the place of all text and says why', () => {
    expect(fold(streams.completionStream)).toMatchObject({
      text: 'Withheld.',
      replaced: 'output_moderation',
      conversation_id: null,
    })
  })

  test('text after output moderation is no part of the answer; after another replacement it is', () => {
    const message = { event: 'message', answer: ' more' }
    const replace = (reason: string, ...before: object[]) =>
      fold([...before, message, { event: 'message_replace', answer: 'Withheld.', reason }, message, message])
    expect(replace('output_moderation')).toMatchObject({ text: 'Withheld.', late: 2 })
    expect(replace('')).toMatchObject({ text: 'Withheld.', late: 2 })
    expect(replace('rewritten')).toMatchObject({ text: 'Withheld. more more', late: 0 })
    // A chatflow that is taken up again sends its text so far as a replacement.
    expect(replace('', { event: 'workflow_started', data: {} })).toMatchObject({ text: 'Withheld. more more', late: 0 })
  })

  test('agent-chat: a thought is one entry however often it is sent', () => {
    const { text, thoughts, files } = fold(streams.agentChatStream)
    expect(text).toBe('I look it up. 80 degrees.')
    expect(thoughts).toEqual([
      {
        id: 'a-1',
        position: 1,
        thought: 'I look it up.',
        observation: '{"search":"80 degrees"}',
        tool: 'search;clock',
        tool_labels: { search: { en_US: 'Search' } },
        tool_input: '',
        message_files: ['f-2'],
      },
    ])
    expect(files.map(({ id, url }) => [id, url])).toEqual([['f-2', 'https://files.example/2.png']])
  })

  test('agent: the closing message is the answer, and the words before it belong to their step', () => {
    const answer = fold(streams.agentWithToolStream)
    expect(answer.text).toBe('It opens at nine.')
    expect(answer.thoughts.map(({ thought }) => thought)).toEqual(['Let me check the shop. ', '', ''])
    const stopped = fold(streams.agentWithToolStream.slice(0, -2))
    expect(stopped.text).toBe('Let me check the shop. It opens at nine.')
  })

  test('annotated chatflow: the answer came and ended, whatever its invented workflow says', () => {
    const answer = fold(streams.annotatedChatflowStream)
    expect(answer).toMatchObject({ text: 'At nine.', ended: true, problem: null, run: emptyRun })
    expect(answer.run_after_end).toMatchObject({ workflow_run_id: 'r-1', status: 'failed' })
    const broken = fold(streams.brokenChatflowStream)
    expect(broken).toMatchObject({ problem: { code: 'provider_not_initialize' }, run: emptyRun })
  })

  test('chatflow: message_end and workflow_finished in either order give the same', () => {
    const older = fold(streams.chatflowStreams.older)
    expect(older).toEqual(fold(streams.chatflowStreams.newer))
    expect(older).toMatchObject({
      text: 'Yes.',
      reasoning: 'The text says so.',
      run: { status: 'succeeded', ended: true, late: 0, nodes: [{ id: 'x-1' }, { id: 'x-2' }] },
    })
    expect(older.run.nodes[1]).toMatchObject({ status: 'succeeded', outputs: { text: 'Yes.' } })
  })

  test('chatflow: workflow_finished alone does not end the answer', () => {
    expect(fold(streams.chatflowStreams.older.slice(0, -1))).toMatchObject({ ended: false, run: { ended: true } })
  })

  test('failed chatflow: ended by the run, and the error says why', () => {
    const failed = fold(streams.failedChatflowStream.slice(0, -1))
    expect(failed).toMatchObject({ ended: true, problem: { code: null, message: 'Node n-2 failed.' } })
    expect(fold(streams.failedChatflowStream)).toMatchObject({
      problem: { status: 400, code: 'completion_request_error', message: 'The model is out of reach.' },
      run: { status: 'failed', problem: null, late: 0 },
    })
  })

  test('paused chatflow: the pause ends the stream, the resumed run ends the answer', () => {
    const paused = fold(streams.pausedChatflowStream)
    expect(paused).toMatchObject({ ended: true, problem: null, run: { paused: { paused_nodes: ['n-3'] } } })
    expect(foldAnswer(paused, streams.resumedChatflowStream[0])).toMatchObject({ ended: false })
    expect(fold(streams.resumedChatflowStream, paused)).toMatchObject({ text: 'Sent.', ended: true, late: 0 })
  })
})

describe('a blocking reply', () => {
  test('folds to what its stream folds to', () => {
    const { mode, ...blocking } = fold([streams.blockingChat])
    const { mode: _, ...streamed } = fold(streams.chatStream)
    expect(mode).toBe('chat')
    expect(blocking).toEqual({ ...streamed, metadata: streams.blockingChat.metadata })
  })

  test('without an event name, as the interface gives a completion, is one too', () => {
    const { event: _, ...reply } = streams.blockingChat
    expect(fold([reply])).toMatchObject({ text: 'Steep it briefly.', ended: true, usage: streams.usage })
  })

  test('of a paused chatflow has the pause in its run', () => {
    const data = { status: 'paused', paused_nodes: ['n-3'], reasons: [] }
    const answer = fold([{ ...streams.blockingChat, workflow_run_id: 'r-1', data }])
    expect(answer).toMatchObject({ ended: true, run: { workflow_run_id: 'r-1', paused: { paused_nodes: ['n-3'] } } })
  })
})

describe('ends', () => {
  test('an error ends the answer and a workflow that still ran', () => {
    const answer = fold([...streams.chatflowStreams.older.slice(0, 4), error])
    expect(answer).toMatchObject({ ended: true, problem: { code: 'completion_request_error' }, task_id: 't-1' })
    expect(answer.run).toMatchObject({ ended: true, problem: { message: 'No model.' } })
  })

  test('text after the end is counted and not taken; speech is neither', () => {
    const answer = fold([
      ...streams.chatStream,
      { event: 'message', answer: 'more' },
      { event: 'tts_message', audio: 'AAAA' },
      { event: 'message_end', metadata: {} },
      { event: 'galaxy' },
    ])
    expect(answer).toMatchObject({ text: 'Steep it briefly.', late: 3, unknown: [{ event: 'galaxy', count: 1 }] })
  })

  test('a workflow that runs after message_end is the workflow of the answer', () => {
    const [body, finished] = [streams.chatflowStreams.newer.slice(0, -2), streams.chatflowStreams.newer.slice(-1)]
    const answer = fold([streams.chatStream[5], ...body, ...finished])
    expect(answer).toMatchObject({ text: 'Yes.', ended: true, late: 0, run: { status: 'succeeded' } })
    expect(answer).not.toHaveProperty('run_after_end')
  })

  test('a second end of the workflow is counted', () => {
    const finished = streams.chatflowStreams.newer.slice(-1)
    expect(fold([...streams.chatflowStreams.newer, ...finished]).run).toMatchObject({ status: 'succeeded', late: 1 })
  })

  test('the metadata that follows an error is taken', () => {
    const answer = fold([error, { event: 'message_end', metadata: { usage: streams.usage } }])
    expect(answer).toMatchObject({ usage: { total_tokens: 17 }, problem: { status: 400 }, late: 0 })
  })
})

describe('text before the closing message of an agent', () => {
  const say = (answer: string) => ({ event: 'agent_message', answer })
  const close = (answer: string) => ({ event: 'message', answer })

  test('without a thought becomes a step; one that has the words keeps its text', () => {
    const thought = { event: 'agent_thought', id: 'a-1', thought: 'I look.', tool: 'search' }
    const answer = fold([say('First. '), { ...thought, thought: '' }, say('I look. '), thought, close('At nine.')])
    expect(answer.text).toBe('At nine.')
    expect(answer.thoughts.map(({ id, thought: words }) => [id, words])).toEqual([
      ['answer', 'First. '],
      ['a-1', 'I look.'],
    ])
  })

  test('is added to a thought that says something else, and stays when the thought is sent again', () => {
    const thought = { event: 'agent_thought', id: 'a-1', thought: 'A plan.' }
    const answer = fold([thought, say('I look. '), close('At nine.'), { ...thought, thought: '' }])
    expect(answer.thoughts).toMatchObject([{ thought: 'A plan.\nI look. ' }])
  })

  test('further messages are deltas, and a blank one is no answer', () => {
    expect(fold([say('I look. '), close('At '), close('nine.')]).text).toBe('At nine.')
    expect(fold([say('At nine.'), close(' ')]).text).toBe('At nine. ')
  })
})

describe('metadata of the wrong types', () => {
  test('numbers sent as text and prices sent as numbers are read, rubbish is null and stays in metadata', () => {
    const metadata = {
      usage: { total_tokens: '17', total_price: 0.002, latency: 'soon', added: [1] },
      retriever_resources: [{ score: '0.5', document_name: 7 }, 'no source'],
    }
    const answer = fold([{ event: 'message_end', metadata }])
    expect(answer.usage).toEqual({ total_tokens: 17, total_price: '0.002', latency: null, added: [1] })
    expect(answer.sources).toEqual([{ score: 0.5, document_name: '7' }])
    expect(answer.metadata).toEqual(metadata)
  })
})

describe('what no rule knows', () => {
  test('is kept, and so is an event that lacks what its name promises', () => {
    const answer = fold([
      { event: 'message', answer: null },
      { event: 'agent_thought', thought: 'no id' },
      { event: 'message_file' },
      { event: '__proto__', answer: 'x' },
      { code: 'no event', status: 500 },
      'text',
      null,
      undefined,
    ])
    expect(answer.unknown.map(({ event, count }) => [event, count])).toEqual([
      ['message', 1],
      ['agent_thought', 1],
      ['message_file', 1],
      ['__proto__', 1],
      ['(no event name)', 1],
      ['(not an object)', 2],
    ])
    expect({ ...answer, unknown: [] }).toEqual(emptyAnswer)
  })
})

test('a delta copies none of the lists', () => {
  const before = fold(streams.chatflowStreams.older.slice(0, -2))
  const after = foldAnswer(before, { event: 'message', answer: '!' })
  expect(after.text).toBe('Yes.!')
  expect(after.run).toBe(before.run)
  expect(after.thoughts).toBe(before.thoughts)
  expect(after.files).toBe(before.files)
  expect(after.sources).toBe(before.sources)
})
