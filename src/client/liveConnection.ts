import { LIVE_PATH, type LiveMessage, type LiveRequest } from '#contract/console/liveMessages.ts'
import type { Problem } from '#contract/problem.ts'

/**
 * A frame as it arrives: `seq` counts from 1 without gaps, `block` is the platform's event (`#domain/stream/sseBlock.ts`),
 * `at` the server's time of it in ms since the request went out.
 */
export interface ReceivedFrame {
  seq: number
  block: string
  at: number
}

/** A subscriber of one run. `onEnd`, `onRefusal` and `onLoss` are final. */
export interface RunListener {
  onFrame(frame: ReceivedFrame): void
  /** All stored frames have arrived; further ones follow as they are stored. */
  onLive(): void
  /** The stored run, not validated yet. */
  onEnd(run: unknown): void
  onRefused(problem: Problem): void
  /** The connection is lost, or the server ended the subscription: it may be resumed. */
  onConnectionLost(): void
}

export interface LiveConnectionOptions {
  connect: () => WebSocket
  /** Milliseconds without a message after which the connection counts as lost; the server sends one every 15 s. */
  silenceTimeoutMs: number
  /** How long the connection stays open without subscriptions, in ms. */
  idleTimeoutMs: number
}

/** The close code when the session has ended. */
const CLOSE_CODE_SIGNED_OUT = 4401

/**
 * The page's single WebSocket for all watched runs; it uses none of the six HTTP connections that all tabs share. It
 * does not retry: subscribers subscribe again.
 */
export class LiveConnection {
  readonly #options: LiveConnectionOptions
  readonly #listeners = new Map<string, RunListener>()
  #socket: WebSocket | null = null
  #silenceTimer: ReturnType<typeof setInterval> | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #lastMessageAt = 0

  constructor(conditions: LiveConnectionOptions) {
    this.#options = conditions
  }

  /** Watches a run after its frame `after`. @returns a function that stops watching. */
  watch(run_id: string, after: number, watcher: RunListener): () => void {
    clearTimeout(this.#idleTimer)
    this.#listeners.set(run_id, watcher)
    const socket = this.#open()
    const ask = () => this.#send({ watch: run_id, after })
    if (socket.readyState === socket.OPEN) ask()
    else socket.addEventListener('open', () => this.#listeners.get(run_id) === watcher && ask())
    return () => {
      if (this.#listeners.get(run_id) !== watcher) return
      this.#listeners.delete(run_id)
      this.#send({ unwatch: run_id })
      this.#closeWhenIdle()
    }
  }

  /** Drops the connection when the network is lost: a socket may not notice that for a long time. */
  disconnect(): void {
    if (this.#socket) this.#handleClose(this.#socket, 0)
  }

  #open(): WebSocket {
    if (this.#socket) return this.#socket
    const socket = this.#options.connect()
    this.#socket = socket
    this.#lastMessageAt = Date.now()
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#receive(String(data))
    })
    socket.addEventListener('close', ({ code }) => this.#handleClose(socket, code))
    const { silenceTimeoutMs } = this.#options
    this.#silenceTimer = setInterval(() => {
      // A stalled connection does not close by itself for minutes.
      if (Date.now() - this.#lastMessageAt > silenceTimeoutMs) this.#handleClose(socket, 0)
    }, silenceTimeoutMs / 4)
    return socket
  }

  #send(request: LiveRequest): void {
    if (this.#socket?.readyState === this.#socket?.OPEN) this.#socket?.send(JSON.stringify(request))
  }

  #receive(text: string): void {
    this.#lastMessageAt = Date.now()
    const message = JSON.parse(text) as LiveMessage
    if ('alive' in message) return
    const watcher = this.#listeners.get(message.run)
    if (!watcher) return
    if ('frames' in message) {
      for (const [seq, block, at] of message.frames) watcher.onFrame({ seq, block, at })
      return
    }
    if ('live' in message) return watcher.onLive()
    this.#listeners.delete(message.run)
    this.#closeWhenIdle()
    if ('end' in message) watcher.onEnd(message.end)
    else if ('refused' in message) watcher.onRefused(message.refused)
    else watcher.onConnectionLost()
  }

  #handleClose(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return
    this.#socket = null
    clearInterval(this.#silenceTimer)
    clearTimeout(this.#idleTimer)
    socket.close()
    const watchers = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const watcher of watchers)
      if (code === CLOSE_CODE_SIGNED_OUT)
        watcher.onRefused({ kind: 'denied', status: 401, message: 'The session has ended. Sign in again.' })
      else watcher.onConnectionLost()
  }

  #closeWhenIdle(): void {
    if (this.#listeners.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.disconnect(), this.#options.idleTimeoutMs)
  }
}

/** The connection of this page. */
export const liveConnection = new LiveConnection({
  connect: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${LIVE_PATH}`),
  silenceTimeoutMs: 45_000,
  idleTimeoutMs: 30_000,
})
