import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Problem } from '#contract/problem.ts'
import { Listeners } from '#domain/listeners.ts'
import { EventStreamTransport, type LiveTransport, SocketTransport, type TransportEnd } from './liveTransports.ts'

/**
 * A frame as it arrives: `seq` counts from 1 without gaps, `block` is the platform's event (`#domain/stream/sseBlock.ts`),
 * `at` the server's time of it in ms since the request went out.
 */
export interface ReceivedFrame {
  seq: number
  block: string
  at: number
}

/** A subscriber of one run. `onEnd`, `onRefused` and `onConnectionLost` are final. */
export interface RunListener {
  onFrame(frame: ReceivedFrame): void
  /** All stored frames have arrived; further ones follow as they are stored. */
  onLive(): void
  /** The server that reads the run is not heard of, or is heard again. */
  onServerSilent(isSilent: boolean): void
  /** The stored run, not validated yet. */
  onEnd(run: unknown): void
  onRefused(problem: Problem): void
  /** The connection is lost, or the server ended the subscription: it may be resumed. */
  onConnectionLost(): void
}

export interface LiveConnectionOptions {
  connect: () => WebSocket
  /**
   * Milliseconds without a message after which a WebSocket is dead. Doubled up to `maxSocketSilenceMs` each time that one dies
   * which had worked: messages may be large and the connection slow.
   */
  socketSilenceMs: number
  maxSocketSilenceMs: number
  /** Milliseconds without a byte after which an event stream is dead. */
  streamSilenceMs: number
  /** How long the connection stays open without subscriptions, in ms. */
  idleTimeoutMs: number
  /** Milliseconds until a WebSocket is tried again while an event stream is used, after `failures` of them. */
  getProbeDelayMs: (failures: number) => number
}

interface WatchedEntry {
  /** The number of the last frame. */
  last: number
  listener: RunListener
}

/**
 * The page's single connection for all watched runs: a WebSocket, or one event stream where a proxy refuses or swallows
 * WebSockets, until a WebSocket works again. Moving from one to the other loses no frame, and the subscribers do not notice.
 * When the connection is lost it does not retry: subscribers subscribe again.
 */
export class LiveConnection {
  readonly #options: LiveConnectionOptions
  readonly #watched = new Map<string, WatchedEntry>()
  readonly #transportListeners = new Listeners<[]>()
  /** Calls back when the kind of transport changes. */
  readonly onTransportChange = this.#transportListeners.subscribe
  #transport: LiveTransport | null = null
  /** Whether the last WebSocket did not work, so that pages do not wait for the next one. */
  #prefersEventStream = false
  /** A WebSocket that is tried while the page uses an event stream. */
  #probe: SocketTransport | null = null
  #probeTimer: ReturnType<typeof setTimeout> | undefined
  #nextProbeAt = 0
  #failures = 0
  #silentDeaths = 0
  #idleTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: LiveConnectionOptions) {
    this.#options = options
  }

  /** What the page uses, or null without a connection. */
  get transportKind(): LiveTransport['kind'] | null {
    return this.#transport?.kind ?? null
  }

  /** Watches a run after its frame `after`. @returns a function that stops watching. */
  watch(run_id: string, after: number, listener: RunListener): () => void {
    clearTimeout(this.#idleTimer)
    const entry = { last: after, listener }
    this.#watched.set(run_id, entry)
    this.#open().watch(run_id, after)
    return () => {
      if (this.#watched.get(run_id) !== entry) return
      this.#watched.delete(run_id)
      this.#transport?.unwatch(run_id)
      this.#closeWhenIdle()
    }
  }

  /**
   * Drops the connection when the network is lost: a socket may not notice that for a long time. The next network may pass
   * WebSockets.
   */
  disconnect(): void {
    this.#prefersEventStream = false
    this.#failures = 0
    this.#silentDeaths = 0
    this.#loseAll()
  }

  #open(): LiveTransport {
    if (this.#transport) return this.#transport
    return this.#setTransport(this.#prefersEventStream ? this.#openEventStream() : this.#openSocket())
  }

  #setTransport(transport: LiveTransport): LiveTransport {
    this.#transport = transport
    this.#transportListeners.notify()
    return transport
  }

  #openSocket(onOpen: () => void = () => undefined): SocketTransport {
    const { connect, socketSilenceMs, maxSocketSilenceMs } = this.#options
    const silenceMs = Math.min(maxSocketSilenceMs, socketSilenceMs * 2 ** this.#silentDeaths)
    const socket: SocketTransport = new SocketTransport(connect, silenceMs, {
      onOpen,
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => this.#onSocketEnd(socket, end),
    })
    return socket
  }

  #onSocketEnd(socket: SocketTransport, end: TransportEnd): void {
    if (end === 'failed' || end === 'silent') {
      this.#failures++
      if (end === 'silent') this.#silentDeaths++
      this.#nextProbeAt = Date.now() + this.#options.getProbeDelayMs(this.#failures)
    }
    if (this.#probe === socket) {
      this.#probe = null
      this.#scheduleProbe()
      return
    }
    if (end === 'signed_out') return this.#refuseAll()
    if (end === 'closed') {
      this.#failures = 0
      this.#silentDeaths = 0
      return this.#loseAll()
    }
    this.#prefersEventStream = true
    if (this.#watched.size === 0) return this.#loseAll()
    this.#moveTo(this.#openEventStream())
  }

  #openEventStream(): EventStreamTransport {
    this.#scheduleProbe()
    return new EventStreamTransport(
      {
        silenceTimeoutMs: this.#options.streamSilenceMs,
        listWatched: () => [...this.#watched].map(([run, { last }]) => ({ run, after: last })),
      },
      {
        onOpen: () => undefined,
        onMessage: (message) => this.#receive(message),
        onEnd: (end) => {
          if (end === 'signed_out') return this.#refuseAll()
          // Neither works, or the server has stopped: the next attempt begins with a WebSocket.
          this.#prefersEventStream = false
          this.#failures = 0
          this.#loseAll()
        },
      },
    )
  }

  /** Continues all runs over another transport, each after its last frame. */
  #moveTo(transport: LiveTransport): void {
    this.#transport?.close()
    this.#setTransport(transport)
    for (const [run_id, { last }] of this.#watched) transport.watch(run_id, last)
  }

  #scheduleProbe(): void {
    clearTimeout(this.#probeTimer)
    this.#probeTimer = setTimeout(() => this.#startProbe(), Math.max(0, this.#nextProbeAt - Date.now()))
  }

  #startProbe(): void {
    const probe = this.#openSocket(() => {
      if (this.#probe !== probe) return
      this.#probe = null
      this.#prefersEventStream = false
      this.#moveTo(probe)
    })
    this.#probe = probe
  }

  #receive(message: LiveMessage): void {
    if ('alive' in message) return
    const entry = this.#watched.get(message.run)
    if (!entry) return
    if ('frames' in message) {
      for (const [seq, block, at] of message.frames) {
        entry.last = Math.max(entry.last, seq)
        entry.listener.onFrame({ seq, block, at })
      }
      return
    }
    if ('live' in message) return entry.listener.onLive()
    if ('silent' in message) return entry.listener.onServerSilent(message.silent)
    this.#watched.delete(message.run)
    this.#closeWhenIdle()
    if ('end' in message) entry.listener.onEnd(message.end)
    else if ('refused' in message) entry.listener.onRefused(message.refused)
    else entry.listener.onConnectionLost()
  }

  #refuseAll(): void {
    const problem: Problem = { kind: 'denied', status: 401, message: 'The session has ended. Sign in again.' }
    for (const { listener } of this.#closeTransport()) listener.onRefused(problem)
  }

  #loseAll(): void {
    for (const { listener } of this.#closeTransport()) listener.onConnectionLost()
  }

  /** @returns the entries that were watched */
  #closeTransport(): WatchedEntry[] {
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#probeTimer)
    this.#probe?.close()
    this.#probe = null
    this.#transport?.close()
    this.#transport = null
    this.#transportListeners.notify()
    const entries = [...this.#watched.values()]
    this.#watched.clear()
    return entries
  }

  #closeWhenIdle(): void {
    if (this.#watched.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#loseAll(), this.#options.idleTimeoutMs)
  }
}

/** The connection of this page. */
export const liveConnection = new LiveConnection({
  connect: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${LIVE_PATH}`),
  socketSilenceMs: 2_500,
  maxSocketSilenceMs: 40_000,
  streamSilenceMs: 6_000,
  idleTimeoutMs: 30_000,
  getProbeDelayMs: (failures) => Math.min(60_000, 5_000 * 2 ** (failures - 1)),
})
