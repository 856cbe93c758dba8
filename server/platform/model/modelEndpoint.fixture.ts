import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How the endpoint of a test behaves; without any of it, it answers in two pieces. */
export interface EndpointBehaviour {
  /** What is answered: pieces, or pieces made of the request's messages. */
  pieces?: string[] | ((messages: { role: string; content: unknown }[]) => string[])
  usage?: { prompt: number; completion: number } | null
  /** Answers every call with this status, or those whose messages contain the text. */
  refuse?: { status: number; message: string; messagesWith?: string }
  redirect?: string
  /** Breaks the line, or says nothing more, after so many pieces. */
  breakAfter?: number
  hangAfter?: number
  /** The vector of a text; by default its length and a one. */
  vector?: (text: string) => number[]
  /** Texts that are embedded in a second, one request after the other; by default each request at once. */
  textsPerSecond?: number
  /** Refuses requests for the vectors of more texts than this. */
  maxTexts?: number
  /** Requests for vectors wait for it. */
  hold?: Promise<void>
}

export interface ModelEndpoint {
  /** The base URL, as in `MODEL_BASE_URL`. */
  url: string
  calls: { path: string; authorization: string | undefined; body: Record<string, unknown> }[]
  /** The texts of each request for vectors that was not refused. */
  embedded: string[][]
  /** Settles when a caller has hung up before the answer was whole. */
  connectionClosed: Promise<void>
  close: () => Promise<void>
}

/** A small OpenAI-compatible server on a free port: chat completions in a stream, embeddings. */
export async function startModelEndpoint(behaviour: EndpointBehaviour = {}): Promise<ModelEndpoint> {
  const calls: ModelEndpoint['calls'] = []
  const embedded: string[][] = []
  const line = Promise.withResolvers<void>()
  const embeddingQueue = createEmbeddingQueue(behaviour.textsPerSecond ?? Infinity)
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await read(request)) as Record<string, unknown>
      calls.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      response.on('close', () => response.writableFinished || line.resolve())
      if (behaviour.redirect) return void response.writeHead(307, { location: behaviour.redirect }).end()
      if (behaviour.refuse && JSON.stringify(body).includes(behaviour.refuse.messagesWith ?? ''))
        return refuse(response, behaviour.refuse)
      if (request.url === '/v1/embeddings') {
        const texts = body['input'] as string[]
        if (texts.length > (behaviour.maxTexts ?? Infinity))
          return refuse(response, { status: 413, message: `${texts.length} texts are too many` })
        embedded.push(texts)
        await Promise.all([behaviour.hold, embeddingQueue(texts.length)])
        return embed(response, texts, behaviour)
      }
      await chat(response, body, behaviour)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    embedded,
    connectionClosed: line.promise,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function chat(response: ServerResponse, body: Record<string, unknown>, behaviour: EndpointBehaviour) {
  const { pieces = ['An ', 'answer.'], usage = { prompt: 3, completion: 2 } } = behaviour
  const messages = body['messages'] as { role: string; content: unknown }[]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (choices: unknown[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'small', choices, ...more })}\n\n`,
    )
  const delta = (content: object, finish_reason: string | null = null) => [{ index: 0, delta: content, finish_reason }]
  send(delta({ role: 'assistant', content: '' }))
  for (const [index, piece] of (typeof pieces === 'function' ? pieces(messages) : pieces).entries()) {
    if (index === behaviour.hangAfter) return
    // The piece before is given the time to leave: a broken line takes what was not yet sent with it.
    if (index === behaviour.breakAfter) return setImmediate(() => response.destroy())
    send(delta({ content: piece }))
    await new Promise((resolve) => setImmediate(resolve))
  }
  send(delta({}, 'stop'))
  if (usage)
    send([], {
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: usage.completion,
        total_tokens: usage.prompt + usage.completion,
      },
    })
  response.end('data: [DONE]\n\n')
}

/** Waits until all texts before, and these, would be embedded. */
function createEmbeddingQueue(textsPerSecond: number): (texts: number) => Promise<void> {
  let busyUntil = 0
  return async (texts) => {
    if (textsPerSecond === Infinity) return
    const now = performance.now()
    busyUntil = Math.max(now, busyUntil) + (texts * 1000) / textsPerSecond
    await wait(busyUntil - now)
  }
}

function embed(response: ServerResponse, texts: string[], behaviour: EndpointBehaviour) {
  const vector = behaviour.vector ?? ((text: string) => [text.length, 1])
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vector(text) }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data, model: 'vectors', usage: { prompt_tokens: 1, total_tokens: 1 } }))
}

function refuse(response: ServerResponse, { status, message }: { status: number; message: string }) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'refused', code: null } }))
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
