import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the scripted platform received it. */
export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}
export type PlatformScript = (seen: RecordedRequest, response: ServerResponse) => void | Promise<void>

/** A platform scripted by a test; records every request. It checks no key. */
export class ScriptedPlatform {
  readonly requests: RecordedRequest[] = []
  script: PlatformScript = (_seen, response) =>
    sendError(response, 404, { code: 'not_found', message: 'no script', status: 404 })
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<ScriptedPlatform> {
    const server = createServer()
    const platform = new ScriptedPlatform(server)
    server.on('request', (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const seen = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(parts).toString('utf8'),
        }
        platform.requests.push(seen)
        void Promise.resolve(platform.script(seen, response)).catch(() => response.destroy())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return platform
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

export function sendError(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
}

/** The ids of one answer, as every one of its events carries them. */
// A type, not an interface: what a test reads out of a body is cast to it.
export type AnswerIds = {
  task_id: string
  message_id: string
  conversation_id: string
  created_at: number
}
export const createAnswerIds = (): AnswerIds => ({
  task_id: randomUUID(),
  message_id: randomUUID(),
  conversation_id: randomUUID(),
  created_at: 1_795_000_000,
})

export const toEventBlock = (event: Record<string, unknown>): string => `data: ${JSON.stringify(event)}\n\n`
export const toMessageBlock = (ids: AnswerIds, answer: string): string =>
  toEventBlock({ event: 'message', ...ids, id: ids.message_id, answer, from_variable_selector: null })
export const toMessageEndBlock = (ids: AnswerIds, metadata: Record<string, unknown> = {}): string =>
  toEventBlock({ event: 'message_end', ...ids, id: ids.message_id, metadata, files: null })

/** Sends a complete answer of one message. */
export function sendAnswer(
  response: ServerResponse,
  answer: string,
  metadata: Record<string, unknown> = {},
  ids: AnswerIds = createAnswerIds(),
): void {
  openStream(response)
  response.write(toMessageBlock(ids, answer))
  response.end(toMessageEndBlock(ids, metadata))
}

/** Sends an answer word by word, `gap` milliseconds apart, and its end. */
export async function answerSlowly(
  response: ServerResponse,
  ids: AnswerIds,
  words: string[],
  gapMs: number,
): Promise<void> {
  openStream(response)
  for (const word of words) {
    response.write(toMessageBlock(ids, word))
    await new Promise((resolve) => setTimeout(resolve, gapMs))
  }
  response.end(toMessageEndBlock(ids, { usage: { total_tokens: words.length, currency: 'USD', total_price: '0' } }))
}

/** End of a stream: a regular HTTP end, or a dropped connection. */
export type StreamEnd = 'closes' | 'breaks'

/** Streams blocks as they are, each in a packet of its own as far as the network lets it, and stops. */
export async function streamBlocks(
  response: ServerResponse,
  blocks: (string | Buffer)[],
  stop: StreamEnd,
): Promise<void> {
  openStream(response)
  for (const one of blocks) {
    await new Promise((resolve) => response.write(one, resolve))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (stop === 'closes') response.end()
  else response.destroy()
}
