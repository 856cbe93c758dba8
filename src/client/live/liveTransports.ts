import {
  LIVE_EVENTS_PATH,
  type LiveMessage,
  type LiveRequest,
  type LiveStreamRequest,
  MAX_WATCHED_RUNS,
  type WatchedRun,
} from '#contract/console/liveMessages.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/**
 * Why a transport ended: `failed` if no message was ever received, `silent` if messages stopped, `signed_out` if the
 * session has ended, else `closed`.
 */
export type TransportEnd = 'failed' | 'silent' | 'signed_out' | 'closed'

interface TransportListener {
  /** The first message has arrived: the connection works. */
  onOpen(): void
  /** Any message but `alive`. */
  onMessage(message: LiveMessage): void
  /** Final, and not called after `close`. */
  onEnd(end: TransportEnd): void
}

/** A connection that delivers the messages of the watched runs. */
export interface LiveTransport {
  readonly kind: 'socket' | 'event_stream'
  /** Watches a run after its frame `after`. */
  watch(run_id: string, after: number): void
  unwatch(run_id: string): void
  close(): void
}

const CHECKS_PER_TIMEOUT = 10
/** The part of the timeout after which `onQuiet` is called. */
const QUIET_SHARE = 0.4

/** Notices that a connection has become silent: neither a socket nor a stream reports a peer that is gone. */
class SilenceMonitor {
  readonly #timeoutMs: number
  readonly #timer: ReturnType<typeof setInterval>
  readonly #onQuiet: () => void
  readonly #onSilent: () => void
  #lastActivityAt = Date.now()
  #lastCheckAt = Date.now()
  #isQuiet = false

  /**
   * `onSilent` is called once after `timeoutMs` milliseconds without activity; `onQuiet` in each shorter silence, early enough
   * to provoke a reply.
   */
  constructor(timeoutMs: number, onSilent: () => void, onQuiet: () => void = () => undefined) {
    this.#timeoutMs = timeoutMs
    this.#onSilent = onSilent
    this.#onQuiet = onQuiet
    this.#timer = setInterval(() => this.#check(), timeoutMs / CHECKS_PER_TIMEOUT)
  }

  noteActivity(): void {
    this.#lastActivityAt = Date.now()
    this.#isQuiet = false
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const now = Date.now()
    // The page was suspended or its timers were throttled: what arrived meanwhile may not have been delivered yet.
    if (now - this.#lastCheckAt > this.#timeoutMs) this.noteActivity()
    this.#lastCheckAt = now
    const silenceMs = now - this.#lastActivityAt
    if (silenceMs > this.#timeoutMs) {
      this.stop()
      this.#onSilent()
    } else if (silenceMs > this.#timeoutMs * QUIET_SHARE && !this.#isQuiet) {
      this.#isQuiet = true
      this.#onQuiet()
    }
  }
}

/** The close code when the session has ended. */
const CLOSE_CODE_SIGNED_OUT = 4401

/**
 * The messages over a WebSocket, which uses none of the six HTTP connections that all tabs share. A ping that is answered
 * shows that a proxy passes messages in both directions; a page that receives nothing sends one again.
 */
export class SocketTransport implements LiveTransport {
  readonly kind = 'socket'
  readonly #socket: WebSocket
  readonly #listener: TransportListener
  readonly #monitor: SilenceMonitor
  #pending: LiveRequest[] = [{ ping: true }]
  #hasMessage = false
  #isClosed = false

  /** `silenceTimeoutMs`: milliseconds without a message, also of the handshake, after which the connection is dead. */
  constructor(connect: () => WebSocket, silenceTimeoutMs: number, listener: TransportListener) {
    this.#listener = listener
    const socket = connect()
    this.#socket = socket
    this.#monitor = new SilenceMonitor(
      silenceTimeoutMs,
      () => this.#end('silent'),
      () => this.#sendIfOpen({ ping: true }),
    )
    socket.addEventListener('open', () => {
      for (const request of this.#pending) this.#sendIfOpen(request)
      this.#pending = []
    })
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    socket.addEventListener('close', ({ code }) => this.#end(code === CLOSE_CODE_SIGNED_OUT ? 'signed_out' : 'closed'))
  }

  watch(run_id: string, after: number): void {
    this.#send({ watch: run_id, after })
  }

  unwatch(run_id: string): void {
    this.#send({ unwatch: run_id })
  }

  close(): void {
    this.#isClosed = true
    this.#monitor.stop()
    this.#socket.close()
  }

  #send(request: LiveRequest): void {
    if (this.#socket.readyState === this.#socket.CONNECTING) this.#pending.push(request)
    else this.#sendIfOpen(request)
  }

  #sendIfOpen(request: LiveRequest): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(request))
  }

  #receive(text: string): void {
    if (this.#isClosed) return
    this.#monitor.noteActivity()
    if (!this.#hasMessage) {
      this.#hasMessage = true
      this.#listener.onOpen()
    }
    const message = parseLosslessJson(text) as LiveMessage
    if (!('alive' in message)) this.#listener.onMessage(message)
  }

  #end(end: TransportEnd): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.onEnd(this.#hasMessage || end === 'signed_out' ? end : 'failed')
  }
}

/** Changes of the watched runs within this time open one new stream (ms). */
const CHANGE_DELAY_MS = 20
/** Milliseconds between two openings while runs are added and removed. */
const MIN_REOPEN_INTERVAL_MS = 250

interface EventStreamOptions {
  /** Milliseconds without a byte after which the stream is dead; the server sends a message every 2 s. */
  silenceTimeoutMs: number
  /** The runs to watch, each with the number of its last frame. */
  listWatched: () => WatchedRun[]
}

interface OpenStream {
  abort: AbortController
  monitor: SilenceMonitor
}

/**
 * The messages over one event stream of all watched runs, for a page whose WebSocket does not work. Watching another run
 * opens a new stream, which resumes each run after its last frame. A hidden page has no stream: with HTTP/1.1, six streams
 * would use all connections of the browser.
 */
export class EventStreamTransport implements LiveTransport {
  readonly kind = 'event_stream'
  readonly #options: EventStreamOptions
  readonly #listener: TransportListener
  /** Runs that changed since the stream was opened: its messages about them belong to an earlier subscription. */
  readonly #changed = new Set<string>()
  #stream: OpenStream | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #openedAt = 0
  #hasMessage = false
  #isClosed = false

  constructor(options: EventStreamOptions, listener: TransportListener) {
    this.#options = options
    this.#listener = listener
    document.addEventListener('visibilitychange', this.#onVisibilityChange)
  }

  watch(run_id: string): void {
    this.#noteChange(run_id)
  }

  unwatch(run_id: string): void {
    this.#noteChange(run_id)
  }

  close(): void {
    this.#isClosed = true
    document.removeEventListener('visibilitychange', this.#onVisibilityChange)
    this.#closeStream()
  }

  #noteChange(run_id: string): void {
    this.#changed.add(run_id)
    const wait = this.#openedAt + MIN_REOPEN_INTERVAL_MS - Date.now()
    this.#timer ??= setTimeout(() => this.#reopen(), Math.max(CHANGE_DELAY_MS, wait))
  }

  #onVisibilityChange = (): void => {
    if (document.hidden) this.#closeStream()
    else this.#reopen()
  }

  #closeStream(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#stream?.monitor.stop()
    this.#stream?.abort.abort()
    this.#stream = null
  }

  #reopen(): void {
    this.#closeStream()
    this.#changed.clear()
    const watched = this.#options.listWatched()
    if (document.hidden || watched.length === 0) return
    this.#openedAt = Date.now()
    const stream = {
      abort: new AbortController(),
      monitor: new SilenceMonitor(this.#options.silenceTimeoutMs, () => this.#end('silent')),
    }
    this.#stream = stream
    void this.#read(stream, { watch: watched.slice(0, MAX_WATCHED_RUNS) })
    for (const { run } of watched.slice(MAX_WATCHED_RUNS)) this.#listener.onMessage({ run, left: true })
  }

  /** Reads a stream until it ends or is replaced. Never rejects. */
  async #read(stream: OpenStream, body: LiveStreamRequest): Promise<void> {
    const isCurrent = () => this.#stream === stream
    let end: TransportEnd = 'closed'
    try {
      // Most pages never need it.
      const { EventStreamContentType, fetchEventSource } = await import('@microsoft/fetch-event-source')
      await fetchEventSource(LIVE_EVENTS_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console': '1' },
        body: JSON.stringify(body),
        signal: stream.abort.signal,
        // Visibility and retries are decided here, with the current list of runs.
        openWhenHidden: true,
        fetch: (input, init) => fetchWithProgress(input, init, () => stream.monitor.noteActivity()),
        onopen: ({ ok, status, headers }) => {
          if (status === 401) end = 'signed_out'
          const isStream = headers.get('content-type')?.startsWith(EventStreamContentType)
          return ok && isStream ? Promise.resolve() : Promise.reject(new Error(`Refused with status ${status}.`))
        },
        onmessage: ({ data }) => {
          if (isCurrent()) this.#receive(data)
        },
        onerror: (error: unknown) => {
          throw error
        },
      })
    } catch {
      // Whatever the reason, the stream has ended, and the page tries again later.
    }
    if (isCurrent()) this.#end(end)
  }

  #receive(data: string): void {
    if (!this.#hasMessage) {
      this.#hasMessage = true
      this.#listener.onOpen()
    }
    const message = parseLosslessJson(data) as LiveMessage
    if (!('alive' in message) && !this.#changed.has(message.run)) this.#listener.onMessage(message)
  }

  #end(end: TransportEnd): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.onEnd(this.#hasMessage || end === 'signed_out' ? end : 'failed')
  }
}

/** Called with each part of the body: a large message on a slow connection is not silence. */
async function fetchWithProgress(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  onProgress: () => void,
): Promise<Response> {
  const response = await fetch(input, init)
  onProgress()
  if (!response.body) return response
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        onProgress()
        controller.enqueue(part)
      },
    }),
  )
  return new Response(counted, response)
}
