import { expect, test } from 'vitest'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { answerStreams } from '../answer/answerStreams.testing.ts'
import { eventSchemas } from './eventSchemas.ts'
import { EVENT_NAMES } from '../stream/arbitraryEvents.testing.ts'
import { listUnseenContractParts, observeEvent, observeError, observeReply, type SeenPaths } from './observeReply.ts'
import { runStreams } from '../workflowRun/runStreams.testing.ts'

const { list, createByText } = documentEndpoints
const summarize = (found: { kind: string; event: string | null; path: string; value: string | null }[]) =>
  found.map(({ kind, event, path, value }) => [kind, event, path, value].filter((one) => one !== null && one !== ''))

test('every event that a fold knows has a shape, and the streams as platforms send them differ in nothing', () => {
  const known = Object.keys(eventSchemas['chat.send'] ?? {})
  expect([...EVENT_NAMES].sort()).toEqual(known.sort())
  const differs = [
    ...Object.values(runStreams)
      .flat()
      .flatMap((event) => observeEvent('workflows.run', event, new Map())),
    ...Object.values(answerStreams)
      .flat()
      .flatMap((event) => observeEvent('chat.send', event, new Map())),
  ]
  // Only old platforms send it: neither the interface nor a recorded release has it.
  expect([...new Set(summarize(differs).map((one) => one.join(' ')))].sort()).toEqual([
    'field workflow_started data.sequence_number',
  ])
})

test('an event that nobody knows is told with its name, one that is none as that', () => {
  const parts: SeenPaths = new Map()
  expect(summarize(observeEvent('chat.send', { event: 'thinking', depth: 3 }, parts))).toEqual([['event', 'thinking']])
  expect(summarize(observeEvent('completion.send', { event: 'workflow_started' }, parts))).toEqual([
    ['event', 'workflow_started'],
  ])
  expect(summarize(observeEvent('chat.send', 'no JSON', parts))).toEqual([['event', '(not an object)']])
  expect(summarize(observeEvent('chat.send', {}, parts))).toEqual([['event', '(no event name)']])
  expect(observeEvent('chat.send', undefined, parts)).toEqual([])
  const node = { event: 'node_finished', data: { id: 'n', status: 'dreaming', mood: 'calm' } }
  expect(summarize(observeEvent('workflows.run', node, parts))).toEqual([
    ['word', 'node_finished', 'data.status', 'dreaming'],
    ['field', 'node_finished', 'data.mood'],
  ])
})

test('statuses of success are held against the method, refusals against the shape that all have', () => {
  const document = { document: { id: 'd' }, batch: 'b' }
  expect(summarize(observeReply(createByText, 202, document, new Map()))).toEqual([['status', '202']])
  expect(observeReply(createByText, 201, document, new Map())).toEqual([])
  expect(summarize(observeReply(list, 201, { data: [] }, new Map()))).toEqual([['status', '201']])
  const refused = { code: 'not_found', message: 'No.', status: 404 }
  expect(observeError(list, 404, refused, new Map())).toEqual([])
  expect(summarize(observeError(list, 418, { ...refused, tea: true }, new Map()))).toEqual([
    ['status', '418'],
    ['error', 'tea', 'field'],
  ])
  expect(summarize(observeError(list, 502, '<html>Bad Gateway</html>', new Map()))).toEqual([['error', 'text']])
  const page = '<!doctype html>\n<title>404 Not Found</title>'
  for (const body of [{ error: 'x' }, { errors: { name: 'x' }, message: 'x' }, page])
    expect(observeError(list, 404, body, new Map())).toEqual([])
  expect(summarize(observeError(list, 400, { fault: 'x' }, new Map()))).toEqual([
    ['error', 'code', 'missing'],
    ['error', 'message', 'missing'],
    ['error', 'fault', 'field'],
  ])
})

test('what was never seen is told down to the first that was not: an operation, a reply, an event, a field, a word', () => {
  expect(summarize(listUnseenContractParts('documents.list', list, undefined))).toEqual([['operation']])
  const parts: SeenPaths = new Map()
  observeError(list, 404, { code: 'not_found', message: 'No.' }, parts)
  expect(summarize(listUnseenContractParts('documents.list', list, parts))).toEqual([['operation']])
  observeReply(list, 200, { data: [{ id: 'd', indexing_status: 'completed', data_source_info: { a: 1 } }] }, parts)
  const never = summarize(listUnseenContractParts('documents.list', list, parts))
  expect(never).toContainEqual(['field', 'total'])
  expect(never).toContainEqual(['word', 'data[].indexing_status', 'paused'])
  expect(never).not.toContainEqual(['word', 'data[].indexing_status', 'completed'])
  expect(never).not.toContainEqual(['field', 'data[].data_source_info'])
  observeEvent('chat.send', { event: 'message', answer: 'a', id: null }, parts)
  const chat = summarize(
    listUnseenContractParts('chat.send', chatEndpoints.send, new Map([...parts].filter(([part]) => part !== 'reply'))),
  )
  expect(chat).toContainEqual(['reply'])
  expect(chat).toContainEqual(['event', 'message_end'])
  expect(chat).toContainEqual(['field', 'message', 'from_variable_selector'])
  // One that was null stood there; what an unseen event holds is not told apart.
  expect(chat).not.toContainEqual(['field', 'message', 'id'])
  expect(chat.filter(([, event]) => event === 'message_end')).toEqual([['event', 'message_end']])
})

test('a sample keeps no text that opens something', () => {
  const [secret, address, tokens] = observeReply(
    list,
    200,
    {
      data: [],
      api_key: 'sk-live-1',
      link: { url: 'https://files.example/a.png?timestamp=1&sign=abc', client_secret: 'x' },
      next_tokens: 12,
    },
    new Map(),
  )
  expect(secret?.sample).toBe('[withheld]')
  expect(address?.sample).toEqual({ url: 'https://files.example/a.png?…', client_secret: '[withheld]' })
  expect(tokens?.sample).toBe(12)
})
