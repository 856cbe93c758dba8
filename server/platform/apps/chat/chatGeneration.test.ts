import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import type { EndpointBehaviour } from '../../model/modelEndpoint.fixture.ts'
import { joinAnswer, createHit, readStream, type OpenApps } from '../apps.fixture.ts'
import { conversations, messages } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, database, readMessageRow } = setupApps()
const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.'), createHit(2, 'Black tea takes boiling water.')]
const QUESTION = { query: 'How is green tea steeped?', user: 'ada' }

const openWithModel = (behaviour: EndpointBehaviour) => serveModel(behaviour, { find: () => TEA })

/** The stream of a chat, as far as it has come, by its first frame. */
async function openChatStream(platform: OpenApps, body: object = {}) {
  const cut = new AbortController()
  const response = await platform.request('chat', 'POST', '/chat-messages', { ...QUESTION, ...body }, cut.signal)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('no stream')
  let text = ''
  while (!text.includes('\n\n')) text += (await reader.read()).value ?? ''
  const [first] = readStream(text.slice(0, text.indexOf('\n\n') + 2))
  const rest = async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return readStream(text)
      text += value
    }
  }
  return { first, rest, hangUp: () => cut.abort() }
}

test('a model writes from the passages and is told what was said before; its usage is passed on', async () => {
  const { endpoint, platform } = await openWithModel({
    pieces: ['At 80', ' degrees. [1]'],
    usage: { prompt: 90, completion: 9 },
  })
  const first = await platform.stream('chat', '/chat-messages', QUESTION)
  expect(joinAnswer(first)).toBe('At 80 degrees. [1]')
  expect(first.at(-1)).toMatchObject({
    event: 'message_end',
    metadata: { model: 'small', usage: { prompt_tokens: 90, completion_tokens: 9, total_tokens: 99, currency: 'USD' } },
  })
  const conversation_id = first[0]?.['conversation_id']
  await platform.ask('chat', { ...QUESTION, query: 'And black tea?', conversation_id })
  const messages = endpoint.calls.at(-1)?.body['messages'] as { role: string; content: string }[]
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(messages[0]?.content).toContain('[1] (chapter-1.md)\nGreen tea is steeped at 80 degrees.')
  expect(messages.slice(1).map(({ content }) => content)).toEqual([
    QUESTION.query,
    'At 80 degrees. [1]',
    'And black tea?',
  ])
})

test('a model titles a new conversation behind the answer', async () => {
  const { platform } = await openWithModel({
    pieces: (messages) =>
      String(messages[0]?.content).startsWith('Write a title') ? ['"Steeping ', 'tea"'] : ['At 80.'],
  })
  const { body } = await platform.ask('chat', QUESTION)
  await vi.waitFor(async () => {
    const id = String(body['conversation_id'])
    const [row] = await database().db.select().from(conversations).where(eq(conversations.id, id))
    expect(row?.name).toBe('Steeping tea')
  })
})

test('a model that fails is an error event, and 400 in blocking; both are kept', async () => {
  const { platform } = await openWithModel({ refuse: { status: 503, message: 'too busy' } })
  const [event, ...more] = await platform.stream('chat', '/chat-messages', QUESTION)
  expect(more).toEqual([])
  expect(event).toEqual({
    event: 'error',
    conversation_id: expect.any(String),
    message_id: expect.any(String),
    created_at: expect.any(Number),
    status: 400,
    code: 'completion_request_error',
    message: "The model's endpoint failed with 503: too busy",
  })
  expect(await readMessageRow(event?.['message_id'])).toMatchObject({
    status: 'error',
    error: expect.stringContaining('too busy'),
  })
  const blocking = await platform.ask('chat', QUESTION)
  expect(blocking).toEqual({
    status: 400,
    body: { code: 'completion_request_error', message: "The model's endpoint failed with 503: too busy", status: 400 },
  })
})

test('a model that breaks in the middle leaves what it said, and the error', async () => {
  const { platform } = await openWithModel({ pieces: ['At 80 ', 'degrees'], breakAfter: 1 })
  const events = await platform.stream('chat', '/chat-messages', QUESTION)
  expect(events.map(({ event }) => event)).toEqual(['message', 'error'])
  expect(await readMessageRow(events[0]?.['message_id'])).toMatchObject({ status: 'error', answer: 'At 80 ' })
})

test('a fault of ours is an error event that does not tell its inside', async () => {
  const platform = await serve({
    find: () => {
      throw new Error('secret detail')
    },
  })
  const [event] = await platform.stream('chat', '/chat-messages', QUESTION)
  expect(event).toMatchObject({ event: 'error', status: 500, code: 'internal_server_error' })
  expect(JSON.stringify(event)).not.toContain('secret')
  const blocking = await platform.ask('chat', QUESTION)
  expect(blocking.status).toBe(500)
})

test('a reader who hangs up does not stop the run: it is answered and kept', async () => {
  const gate = Promise.withResolvers<void>()
  const platform = await serve({ find: () => gate.promise.then(() => TEA) })
  const cut = new AbortController()
  const question = { ...QUESTION, user: 'the one who left' }
  const response = await platform.request('chat', 'POST', '/chat-messages', question, cut.signal)
  expect(response.status).toBe(200)
  cut.abort()
  gate.resolve()
  await vi.waitFor(async () => {
    const [row] = await database().db.select().from(messages).where(eq(messages.end_user, question.user))
    expect(row).toMatchObject({ status: 'normal', answer: 'Green tea is steeped at 80 degrees. [1]' })
  })
})

test('its user stops an answer: what was said stands, with a usage of zeros', async () => {
  const { endpoint, platform } = await openWithModel({ pieces: ['At 80 ', 'degrees.'], hangAfter: 1 })
  const { first, rest } = await openChatStream(platform)
  const path = `/chat-messages/${String(first?.['task_id'])}/stop`
  // Another user, and another application, are told that all is well and change nothing.
  for (const [app, user] of [
    ['chat', 'bob'],
    ['completion', 'ada'],
    ['chat', 'ada'],
  ] as const)
    expect((await platform.call(app, 'POST', path.replace('chat', app), { user })).body).toEqual({ result: 'success' })
  const events = await rest()
  expect(events.map(({ event }) => event)).toEqual(['message', 'message_end'])
  expect(events.at(-1)).toMatchObject({ metadata: { usage: { total_tokens: 0, total_price: '0.0000000' } } })
  expect(await readMessageRow(first?.['message_id'])).toMatchObject({ status: 'stopped', answer: 'At 80 ' })
  await endpoint.connectionClosed
  expect((await platform.call('chat', 'POST', path, { user: 'ada' })).body).toEqual({ result: 'success' })
})

test('an extracted answer is stopped between two pieces', async () => {
  const platform = await serve({ find: () => TEA, pace_ms: 60_000 })
  const response = await platform.request('chat', 'POST', '/chat-messages', QUESTION)
  const [row] = await vi.waitFor(async () => {
    const rows = await database().db.select().from(messages).where(eq(messages.status, 'running'))
    expect(rows).toHaveLength(1)
    return rows
  })
  await platform.call('chat', 'POST', `/chat-messages/${row?.task_id}/stop`, { user: 'ada' })
  expect(readStream(await response.text()).map(({ event }) => event)).toEqual(['message_end'])
})

test('a platform that stops ends its runs and says so', async () => {
  const { platform } = await openWithModel({ pieces: ['At 80 ', 'degrees.'], hangAfter: 1 })
  const { first, rest } = await openChatStream(platform)
  await platform.app.close()
  expect((await rest()).at(-1)).toMatchObject({ event: 'error', status: 503, code: 'service_unavailable' })
  expect(await readMessageRow(first?.['message_id'])).toMatchObject({
    status: 'error',
    answer: 'At 80 ',
    error: 'The platform was stopped during this run.',
  })
})

test('what was running when the process died is written down as failed at the next start', async () => {
  const id = '55555555-5555-4555-8555-555555555555'
  const values = { id, app: 'chat', task_id: id, end_user: 'ada', query: 'q', inputs: {}, files: [], answer: 'half' }
  await database()
    .db.insert(messages)
    .values({ ...values, status: 'running', created_at: new Date() })
  await serve()
  expect(await readMessageRow(id)).toMatchObject({
    status: 'error',
    answer: 'half',
    error: expect.stringContaining('stopped'),
  })
})

test('the stream begins before there is anything to say, and is kept alive', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const gate = Promise.withResolvers<void>()
    const platform = await serve({ find: () => gate.promise.then(() => TEA) })
    const response = await platform.request('chat', 'POST', '/chat-messages', QUESTION)
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    vi.advanceTimersByTime(20_000)
    gate.resolve()
    const events = readStream(await response.text()).map(({ event }) => event)
    expect(events.slice(0, 3)).toEqual(['ping', 'ping', 'message'])
  } finally {
    vi.useRealTimers()
  }
})

test('twenty chats at once: none is lost', async () => {
  const platform = await serve({
    find: (query) => [createHit(1, `The number of ${query.split(' ').at(-1)} is known.`)],
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const body = { query: `What is the number of subject${index}`, user: `user-${index}` }
      return joinAnswer(await platform.stream('chat', '/chat-messages', body))
    }),
  )
  expect(answers).toEqual(answers.map((_, index) => `The number of subject${index} is known. [1]`))
})
