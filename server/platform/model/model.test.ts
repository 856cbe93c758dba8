import { afterEach, expect, test } from 'vitest'
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.fixture.ts'
import { ModelError, openModel, type Model, type ModelPart } from './model.ts'

const openEndpoints: ModelEndpoint[] = []
afterEach(async () => {
  await Promise.all(openEndpoints.splice(0).map((server) => server.close()))
})

async function serve(settings: Parameters<typeof startModelEndpoint>[0] = {}) {
  const server = await startModelEndpoint(settings)
  openEndpoints.push(server)
  return server
}

const modelAt = (server: ModelEndpoint): Model => {
  const model = openModel({ base_url: server.url, api_key: 'sk-sentinel', name: 'small', embedding_model: 'vectors' })
  if (!model) throw new Error('no model')
  return model
}

async function collect(parts: AsyncIterable<ModelPart>) {
  const all: ModelPart[] = []
  for await (const part of parts) all.push(part)
  return all
}

const ask = (model: Model, signal = new AbortController().signal) =>
  collect(model.chat({ messages: [{ role: 'user', content: 'hello' }], signal }))

test('without a base URL there is no model', () => {
  expect(openModel({})).toBeNull()
  expect(openModel({ name: 'small', api_key: 'k' })).toBeNull()
})

test('without an embedding model nothing can be embedded', async () => {
  const server = await serve()
  expect(openModel({ base_url: server.url })?.embed).toBeUndefined()
})

test('text comes in the endpoint’s pieces, the usage at the end', async () => {
  const server = await serve({ pieces: ['Good ', 'mor', 'ning, 世界.'], usage: { prompt: 7, completion: 5 } })
  expect(await ask(modelAt(server))).toEqual([
    { text: 'Good ' },
    { text: 'mor' },
    { text: 'ning, 世界.' },
    { usage: { prompt_tokens: 7, completion_tokens: 5 } },
  ])
  const [call] = server.calls
  expect(call?.authorization).toBe('Bearer sk-sentinel')
  expect(call?.body).toMatchObject({ model: 'small', stream: true, messages: [{ role: 'user', content: 'hello' }] })
})

test('system, assistant and image parts reach the endpoint', async () => {
  const server = await serve()
  await collect(
    modelAt(server).chat({
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'answer' },
        { role: 'user', content: 'look', images: [{ data: new Uint8Array([1, 2, 3]), media_type: 'image/png' }] },
      ],
      signal: new AbortController().signal,
    }),
  )
  expect(server.calls[0]?.body).toMatchObject({
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'answer' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
        ],
      },
    ],
  })
})

test('a refusal is a failure in the endpoint’s words, without the key, asked for once', async () => {
  const server = await serve({ refuse: { status: 500, message: 'overloaded, key sk-sentinel' } })
  const outcome = ask(modelAt(server))
  await expect(outcome).rejects.toBeInstanceOf(ModelError)
  await expect(outcome).rejects.toThrow(/with 500: overloaded, key \*\*\*/)
  expect(server.calls).toHaveLength(1)
})

test('a line that breaks in the middle is a failure, after the text that came', async () => {
  const server = await serve({ pieces: ['one ', 'two'], breakAfter: 1 })
  const seen: ModelPart[] = []
  const outcome = (async () => {
    for await (const part of modelAt(server).chat({
      messages: [{ role: 'user', content: 'hello' }],
      signal: new AbortController().signal,
    }))
      seen.push(part)
  })()
  await expect(outcome).rejects.toBeInstanceOf(ModelError)
  expect(seen).toEqual([{ text: 'one ' }])
  expect(server.calls).toHaveLength(1)
})

test('an endpoint that is not there is a failure', async () => {
  const server = await startModelEndpoint({})
  await server.close()
  await expect(ask(modelAt(server))).rejects.toBeInstanceOf(ModelError)
})

test('a redirect is refused', async () => {
  const server = await serve({ redirect: 'http://127.0.0.1:1/' })
  await expect(ask(modelAt(server))).rejects.toBeInstanceOf(ModelError)
})

test('stopping ends the generation with the reason that was given, and the line to the endpoint', async () => {
  const server = await serve({ pieces: ['one', 'two'], hangAfter: 1 })
  const stop = new AbortController()
  const reason = new Error('stopped by hand')
  const outcome = (async () => {
    for await (const part of modelAt(server).chat({
      messages: [{ role: 'user', content: 'hello' }],
      signal: stop.signal,
    }))
      if ('text' in part) stop.abort(reason)
  })()
  await expect(outcome).rejects.toBe(reason)
  await server.connectionClosed
})
