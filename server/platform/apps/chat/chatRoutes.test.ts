import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { joinAnswer, createHit, readStream } from '../apps.fixture.ts'
import { conversations, messages } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, database } = setupApps()

const TEA = [
  createHit(1, 'Green tea is not oxidised. Steep it at 80 degrees for two minutes.'),
  createHit(2, 'Black tea takes boiling water.'),
]
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an answer streams in small pieces with its envelope and ends with usage and sources', async () => {
  const platform = await serve({ find: () => TEA })
  const response = await platform.request('chat', 'POST', '/chat-messages', {
    query: 'Steep it at how many degrees?',
    user: 'ada',
    inputs: {},
    response_mode: 'streaming',
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = readStream(await response.text())
  const pieces = events.filter(({ event }) => event === 'message')
  expect(joinAnswer(events)).toBe('Steep it at 80 degrees for two minutes. [1]')
  expect(pieces.length).toBeGreaterThan(5)
  const [first] = pieces
  expect(first).toEqual({
    event: 'message',
    task_id: expect.stringMatching(uuid),
    message_id: expect.stringMatching(uuid),
    conversation_id: expect.stringMatching(uuid),
    created_at: expect.any(Number),
    id: first?.['message_id'],
    answer: 'Steep ',
    from_variable_selector: [],
  })
  const {
    answer: _,
    from_variable_selector: __,
    event: ___,
    ...envelope
  } = first ?? ({ event: '' } as (typeof events)[number])
  expect(events.at(-1)).toEqual({
    event: 'message_end',
    ...envelope,
    files: [],
    metadata: {
      usage: expect.objectContaining({ total_price: '0.0000000', currency: 'USD' }),
      retriever_resources: [
        expect.objectContaining({ position: 1, document_name: 'chapter-1.md', score: 1, segment_position: 1 }),
        expect.objectContaining({ position: 2, content: 'Black tea takes boiling water.' }),
      ],
      reasoning: {},
      model: 'extractive',
    },
  })
})

test('nothing found is said', async () => {
  const platform = await serve()
  expect(joinAnswer(await platform.stream('chat', '/chat-messages', { query: 'What is tea?', user: 'ada' }))).toBe(
    'I found nothing about this in the documents.',
  )
})

test('a follow-up remembers what was asked, and the inputs of the first message', async () => {
  const platform = await serve({ find: () => TEA })
  const query = 'What water does black tea take?'
  const first = await platform.ask('chat', { query, user: 'ada', inputs: { detail: 'short', unknown: 1 } })
  const { conversation_id } = first.body
  const next = { query: 'and green?', user: 'ada', inputs: { detail: 'long' } }
  const again = await platform.ask('chat', { ...next, conversation_id })
  expect(again.body['conversation_id']).toBe(first.body['conversation_id'])
  expect(platform.asked).toEqual([query, `${query} and green?`])
  const isOfConversation = eq(messages.conversation_id, String(conversation_id))
  const rows = await database().db.select().from(messages).where(isOfConversation)
  const [, second] = rows.sort((one, other) => Number(one.created_at) - Number(other.created_at))
  expect(second).toMatchObject({
    parent_message_id: first.body['message_id'],
    inputs: { detail: 'short', reader: '' },
    status: 'normal',
  })
})

test('a conversation is named by its question, by hand, and again by its question', async () => {
  const platform = await serve({ find: () => TEA })
  const ask = async (more: object) => {
    const query = '## What water does black tea take, and for how long is it left to steep in the pot?'
    const { body } = await platform.ask('chat', { query, user: 'ada', ...more })
    const id = String(body['conversation_id'])
    return (await database().db.select().from(conversations).where(eq(conversations.id, id)))[0]
  }
  const title = 'What water does black tea take, and for how…'
  expect((await ask({ auto_generate_name: false }))?.name).toBe('New conversation')
  const conversation = await ask({})
  expect(conversation?.name).toBe(title)
  const path = `/conversations/${conversation?.id}/name`
  const named = await platform.call('chat', 'POST', path, { user: 'ada', name: '  Tea  ' })
  expect(named.body).toMatchObject({
    id: conversation?.id,
    name: 'Tea',
    inputs: { detail: 'normal', reader: '' },
    introduction: expect.stringContaining('Ask about the documents'),
  })
  const auto = await platform.call('chat', 'POST', path, { user: 'ada', name: '', auto_generate: true })
  expect(auto.body['name']).toBe(title)
  const none = await platform.call('chat', 'POST', path, { user: 'ada' })
  expect(none).toEqual({
    status: 400,
    body: { code: 'invalid_param', message: 'name is required unless auto_generate is true', status: 400 },
  })
})

test.each([
  [{ query: 'x', user: 'ada', inputs: { detail: 'huge' } }, /^inputs.detail must be one of short, normal, long$/],
  [
    { query: 'x', user: 'ada', files: [{ type: 'audio', transfer_method: 'remote_url', url: 'http://a.b/c' }] },
    /^files\.0\.type must be one of document, image$/,
  ],
])('what is wrong with %j is named', async (body, message) => {
  const platform = await serve()
  const reply = await platform.call('chat', 'POST', '/chat-messages', body)
  expect(reply).toEqual({
    status: 400,
    body: { code: 'invalid_param', message: expect.stringMatching(message), status: 400 },
  })
})
