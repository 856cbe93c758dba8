import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { LIVE_EVENTS_PATH, type LiveMessage, type LiveRequest } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { stubPage } from './live/liveServer.testing.ts'
import { makeRun } from './runRow.testing.ts'

/** The run that the replies and messages are about. */
export const SCRIPTED_RUN_ID = '11111111-1111-4111-8111-111111111111'

export type ScriptedReply = (response: ServerResponse) => void
export type ScriptedWatch = (socket: ServerSocket, asked: { after: number }) => void

const realFetch = globalThis.fetch

/** A console that answers each POST and each watch by the next entry of its script. */
export class ScriptedServer {
  replies: ScriptedReply[] = [acceptRun]
  watches: ScriptedWatch[] = []
  answersPings = true
  posted: Record<string, string | string[] | undefined>[] = []
  readonly watched: LiveRequest[] = []
  readonly #http: Server
  readonly #sockets: WebSocketServer

  private constructor() {
    this.#http = createServer((request, response) => {
      // What a page does without a WebSocket is tested with `LiveConnection`.
      if (request.url === LIVE_EVENTS_PATH) return void response.writeHead(503).end()
      this.posted.push(request.headers)
      const reply = this.replies.shift()
      if (!reply) throw new Error('no script for a request')
      request.resume()
      reply(response)
    })
    this.#sockets = new WebSocketServer({ server: this.#http })
    this.#sockets.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const request = JSON.parse(data.toString()) as LiveRequest
        if ('ping' in request) return void (this.answersPings && socket.send(JSON.stringify({ alive: true })))
        this.watched.push(request)
        if ('watch' in request) this.watches.shift()?.(socket, request)
      }),
    )
  }

  /** Starts a server, to which the page and its `fetch` then belong. */
  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer()
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve))
    stubPage()
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      realFetch(new URL(url, `http://127.0.0.1:${server.#port}`), init),
    )
    return server
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  readonly connect = () => new WebSocket(`ws://127.0.0.1:${this.#port}/api/live`)

  get socketCount(): number {
    return this.#sockets.clients.size
  }

  /** Where each watch began. */
  getStarts(): number[] {
    return this.watched.flatMap((one) => ('watch' in one ? [one.after] : []))
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
  }
}

export const acceptRun: ScriptedReply = (response) =>
  void response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id: SCRIPTED_RUN_ID }))

export const breakConnection: ScriptedReply = (response) => void response.destroy()

export const replyWith =
  (status: number, body: unknown): ScriptedReply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const makeFrame = (n: number): LiveMessage => ({
  run: SCRIPTED_RUN_ID,
  frames: [[n, `data: {"n":${n}}`, n * 10]],
})

export const makeEnd = (status: Run['status'] = 'succeeded'): LiveMessage => ({
  run: SCRIPTED_RUN_ID,
  end: makeRun({ id: SCRIPTED_RUN_ID, status }),
})

export const sendMessages =
  (...messages: LiveMessage[]): ScriptedWatch =>
  (socket) => {
    for (const message of messages) socket.send(JSON.stringify(message))
  }

export const breakAfter =
  (...messages: LiveMessage[]): ScriptedWatch =>
  (socket, asked) => {
    sendMessages(...messages)(socket, asked)
    socket.close()
  }
