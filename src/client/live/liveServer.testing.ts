import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { vi } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import {
  LIVE_EVENTS_PATH,
  type LiveMessage,
  type LiveRequest,
  LiveStreamRequest,
} from '#contract/console/liveMessages.ts'
import { makeRun } from '../runRow.testing.ts'
import type { LiveConnection } from './liveConnection.ts'

/** The part of a page that a live connection uses, for tests on a real network. @returns the document */
export function stubPage(): EventTarget & { hidden: boolean } {
  const document = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', globalThis)
  return document
}

/** Watches a run, and notes what is called back. */
export function watchRun(connection: LiveConnection, run: string, after = 0) {
  const seen: { seqs: number[]; calls: string[]; stop: () => void } = { seqs: [], calls: [], stop: () => undefined }
  seen.stop = connection.watch(run, after, {
    onFrame: ({ seq }) => seen.seqs.push(seq),
    onLive: () => undefined,
    onServerSilent: () => undefined,
    onEnd: () => seen.calls.push('ended'),
    onRefused: ({ status }) => seen.calls.push(`refused ${status}`),
    onConnectionLost: () => seen.calls.push('lost'),
  })
  return seen
}

/** What a proxy in front does with upgrades: it passes them, refuses them, or swallows the upgrade or what follows it. */
export type UpgradeMode = 'pass' | 'refuse' | 'swallow_upgrade' | 'swallow_messages'

interface Subscriber {
  kind: 'socket' | 'event_stream'
  positions: Map<string, number>
  send: (message: LiveMessage) => void
  /** Whether the connection has died without being closed: nothing passes in either direction. */
  isDead: boolean
}

/** The console's two live connections, with the frames of some runs, behind a proxy. */
export class LiveServer {
  upgrades: UpgradeMode = 'pass'
  /** How long a ping waits for its reply (ms). */
  pingDelayMs = 0
  /** How many pings the newest WebSocket has answered. */
  answeredPings = 0
  /** The status of event streams. */
  streamStatus = 200
  /** The lists of runs of all event streams so far. */
  readonly streamRequests: LiveStreamRequest['watch'][] = []
  socketCount = 0
  readonly #subscribers = new Set<Subscriber>()
  readonly #runs = new Map<string, { frames: number; hasEnded: boolean }>()
  readonly #heldSockets = new Set<Socket>()
  readonly #http: Server
  readonly #sockets = new WebSocketServer({ noServer: true })

  private constructor() {
    this.#http = createServer((request, response) => void this.#openStream(request, response))
    this.#http.on('upgrade', (request, socket: Socket, head) => this.#onUpgrade(request, socket, head))
  }

  static async start(): Promise<LiveServer> {
    const server = new LiveServer()
    await new Promise<void>((resolve) => server.#http.listen(0, '127.0.0.1', resolve))
    const original = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => original(new URL(url, server.#url), init))
    return server
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  connect = (): WebSocket => new WebSocket(`${this.#url.replace('http', 'ws')}/api/live`)

  /** The kinds of the open connections. */
  get open(): Subscriber['kind'][] {
    return [...this.#subscribers].map(({ kind }) => kind)
  }

  /** Adds frames to a run; subscribers receive those after their position. */
  addFrames(run: string, count: number): void {
    const state = this.#find(run)
    state.frames += count
    for (const subscriber of this.#subscribers) this.#deliver(subscriber, run)
  }

  endRun(run: string): void {
    this.#find(run).hasEnded = true
    for (const subscriber of this.#subscribers) this.#deliver(subscriber, run)
  }

  /** The open connections of a kind die without being closed. */
  kill(kind: Subscriber['kind']): void {
    for (const subscriber of this.#subscribers) if (subscriber.kind === kind) subscriber.isDead = true
  }

  closeSockets(code: number): void {
    for (const socket of this.#sockets.clients) socket.close(code)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    for (const socket of this.#heldSockets) socket.destroy()
    this.#http.closeAllConnections()
    await new Promise((resolve) => this.#http.close(resolve))
    vi.unstubAllGlobals()
  }

  #find(run: string): { frames: number; hasEnded: boolean } {
    const state = this.#runs.get(run) ?? { frames: 0, hasEnded: false }
    this.#runs.set(run, state)
    return state
  }

  #deliver({ positions, send, isDead }: Subscriber, run: string): void {
    if (isDead) return
    const after = positions.get(run)
    if (after === undefined) return
    const { frames, hasEnded } = this.#find(run)
    for (let seq = after + 1; seq <= frames; seq++) send({ run, frames: [[seq, `data: ${seq}`, seq]] })
    positions.set(run, Math.max(after, frames))
    if (!hasEnded) return
    send({ run, end: makeRun({ id: run, status: 'succeeded' }) })
    positions.delete(run)
  }

  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // The HTTP server no longer handles its errors: a client that leaves resets the connection.
    socket.on('error', () => undefined)
    this.socketCount++
    this.#heldSockets.add(socket)
    if (this.upgrades === 'refuse') return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    if (this.upgrades === 'swallow_upgrade') return
    const isSwallowed = this.upgrades === 'swallow_messages'
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      if (!isSwallowed) this.#serveSocket(opened)
    })
  }

  #serveSocket(socket: ServerSocket): void {
    const send = (message: LiveMessage) => socket.send(JSON.stringify(message))
    const subscriber: Subscriber = { kind: 'socket', positions: new Map(), send, isDead: false }
    this.#subscribers.add(subscriber)
    this.answeredPings = 0
    socket.on('close', () => this.#subscribers.delete(subscriber))
    socket.on('message', (data: Buffer) => {
      if (subscriber.isDead) return
      const request = JSON.parse(data.toString()) as LiveRequest
      if ('ping' in request) {
        const answer = () => {
          send({ alive: true })
          this.answeredPings++
        }
        return void setTimeout(answer, this.pingDelayMs)
      }
      if ('unwatch' in request) return void subscriber.positions.delete(request.unwatch)
      subscriber.positions.set(request.watch, request.after)
      this.#deliver(subscriber, request.watch)
    })
  }

  async #openStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    if (request.url !== LIVE_EVENTS_PATH || request.headers['x-console'] !== '1' || this.streamStatus !== 200)
      return void response.writeHead(this.streamStatus, { 'content-type': 'text/html' }).end('<h1>No</h1>')
    const { watch } = LiveStreamRequest.parse(JSON.parse(Buffer.concat(parts).toString()))
    this.streamRequests.push(watch)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const send = (message: LiveMessage) => response.write(`data: ${JSON.stringify(message)}\n\n`)
    const positions = new Map(watch.map(({ run, after }) => [run, after]))
    const subscriber: Subscriber = { kind: 'event_stream', positions, send, isDead: false }
    this.#subscribers.add(subscriber)
    response.on('close', () => this.#subscribers.delete(subscriber))
    send({ alive: true })
    for (const { run } of watch) this.#deliver(subscriber, run)
  }
}
