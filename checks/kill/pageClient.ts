import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { PROXY_NAME, type ReverseProxy } from '#support/reverseProxy.ts'

/** A run that a page watches, and what is told of it. */
export interface WatchedRun {
  id: string
  /** The last frame that was shown. */
  readonly last: number
  frame: (seq: number, block: string) => void
  silent: (isSilent: boolean) => void
  end: (status: Run['status']) => void
}

const RECONNECT_DELAY_MS = 100

/** A page behind a proxy: it watches all its runs over one WebSocket, and opens another one when that closes. */
export class PageClient {
  readonly #proxy: ReverseProxy
  readonly #cookie: string
  /** Called with the status of each refused upgrade. */
  readonly #onRefused: (status: number) => void
  readonly #runs = new Map<string, WatchedRun>()
  #socket: WebSocket | null = null
  #isClosed = false
  /** WebSockets that were opened after the first one. */
  reopened = -1

  constructor(proxy: ReverseProxy, cookie: string, onRefused: (status: number) => void) {
    this.#proxy = proxy
    this.#cookie = cookie
    this.#onRefused = onRefused
    this.#open()
  }

  watch(run: WatchedRun): void {
    this.#runs.set(run.id, run)
    if (this.#socket?.readyState === WebSocket.OPEN) this.#subscribe(run)
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.terminate()
  }

  #open(): void {
    const socket = new WebSocket(`wss://127.0.0.1:${this.#proxy.port}${LIVE_PATH}`, {
      ...this.#proxy.tls,
      headers: { host: PROXY_NAME, cookie: this.#cookie, origin: `https://${PROXY_NAME}` },
    })
    this.#socket = socket
    socket.on('open', () => {
      this.reopened++
      for (const run of this.#runs.values()) this.#subscribe(run)
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      this.#onRefused(statusCode)
      socket.terminate()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!this.#isClosed) setTimeout(() => this.#open(), RECONNECT_DELAY_MS)
    })
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as LiveMessage))
  }

  #subscribe({ id, last }: WatchedRun): void {
    this.#socket?.send(JSON.stringify({ watch: id, after: last }))
  }

  #receive(message: LiveMessage): void {
    const run = 'run' in message ? this.#runs.get(message.run) : undefined
    if (!run) return
    if ('frames' in message) for (const [seq, block] of message.frames) run.frame(seq, block)
    else if ('silent' in message) run.silent(message.silent)
    else if ('left' in message || 'refused' in message) setTimeout(() => this.#subscribe(run), RECONNECT_DELAY_MS)
    else if ('end' in message) {
      this.#runs.delete(run.id)
      run.end(message.end.status)
    }
  }
}
