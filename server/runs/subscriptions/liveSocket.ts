import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_PATH, type LiveMessage, LiveRequest } from '#contract/console/liveMessages.ts'
import { ProblemError } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { SessionConnections } from '../../auth/sessionConnections.ts'
import { type AccessScope, isInScope } from '../../auth/accessScope.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { requireSameOrigin } from '../../http/security.ts'
import type { FrameSink, SentFrame } from './frameSink.ts'
import type { RunSubscriptions } from './runSubscriptions.ts'
import { GENERATING_ENTRIES } from '../../ledger/runStatus.ts'
import { FrameCoalescer } from './frameCoalescer.ts'
import type { RunExecutor } from '../runExecutor.ts'

const HEARTBEAT_MS = 15_000
/** How often a slow browser is checked (ms): a WebSocket has no drain event. */
const DRAIN_POLL_INTERVAL_MS = 50
/** Maximum runs that one page may watch. */
const MAX_WATCHED_RUNS = 500
/** Maximum open WebSockets per person on this server: each page has one. */
export const MAX_WEBSOCKETS_PER_PERSON = 100
/** Close codes for the browser's client (RFC 6455, 7.4.2: 4000 to 4999 are for private use). */
const CLOSE_CODE_SIGNED_OUT = 4401
const CLOSE_CODE_BAD_REQUEST = 4400

interface LiveSocketDeps {
  ledger: Ledger
  executor: RunExecutor
  subscriptions: RunSubscriptions
  connections: SessionConnections
}

/** One WebSocket for all runs that a page watches (`#contract/console/liveMessages.ts`). */
export function registerLiveSocket(app: FastifyInstance, parts: LiveSocketDeps): void {
  const sockets = new Map<string, Set<Socket>>()
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      config: { permission: 'read' },
      // The same-origin policy does not cover WebSockets: any page could open one with the person's cookie.
      preValidation: async (request) => {
        requireSameOrigin(request)
        requireSocketQuota(sockets, request)
      },
    },
    (socket, request) => new LivePage(socket, request, parts).open(),
  )
}

/**
 * Counts the connection of an upgrade for its person until it closes.
 * @throws ProblemError 429 at the person's limit; the page retries with growing delays
 */
function requireSocketQuota(sockets: Map<string, Set<Socket>>, { person, raw: { socket } }: FastifyRequest): void {
  if (!person || socket.destroyed) return
  const open = sockets.get(person.id) ?? new Set()
  if (open.has(socket)) return
  if (open.size >= MAX_WEBSOCKETS_PER_PERSON)
    throw new ProblemError({
      kind: 'denied',
      status: 429,
      message: `More than ${MAX_WEBSOCKETS_PER_PERSON} live connections of one person. Close some pages.`,
    })
  sockets.set(person.id, open.add(socket))
  socket.once('close', () => {
    open.delete(socket)
    if (open.size === 0 && sockets.get(person.id) === open) sockets.delete(person.id)
  })
}

class LivePage {
  readonly #socket: WebSocket
  readonly #request: FastifyRequest
  #accessScope: AccessScope
  readonly #deps: LiveSocketDeps
  readonly #frameCoalescer = new FrameCoalescer((message) => {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  })
  /** The subscribed runs, each with a function that unsubscribes without a message. */
  readonly #unsubscribers = new Map<string, () => void>()

  constructor(socket: WebSocket, request: FastifyRequest, parts: LiveSocketDeps) {
    this.#socket = socket
    this.#request = request
    this.#accessScope = request.accessScope
    this.#deps = parts
  }

  open(): void {
    const heartbeat = setInterval(() => void this.#checkSession(), HEARTBEAT_MS)
    const release = this.#deps.connections.register(this.#request.sessionId, () => void this.#checkSession())
    this.#socket.on('message', (data: Buffer) => this.#onMessage(data.toString('utf8')))
    this.#socket.on('error', () => this.#socket.terminate())
    this.#socket.on('close', () => {
      clearInterval(heartbeat)
      release()
      for (const stop of [...this.#unsubscribers.values()]) stop()
      this.#frameCoalescer.close()
    })
  }

  #send = (message: LiveMessage): void => this.#frameCoalescer.send(message)

  /** Closes the connection if its session has ended meanwhile, on this server or another. */
  async #checkSession(): Promise<void> {
    const found = await this.#request.findSignedIn().catch(() => undefined)
    if (found === null) return this.#socket.close(CLOSE_CODE_SIGNED_OUT, 'signed out')
    if (found) this.#accessScope = found.accessScope
    this.#send({ alive: true })
  }

  #onMessage(text: string): void {
    const liveRequest = parseLiveRequest(text)
    if (!liveRequest) return this.#socket.close(CLOSE_CODE_BAD_REQUEST, 'not understood')
    if ('unwatch' in liveRequest) return this.#unsubscribers.get(liveRequest.unwatch)?.()
    if (this.#unsubscribers.size >= MAX_WATCHED_RUNS) return this.#send({ run: liveRequest.watch, left: true })
    this.#unsubscribers.get(liveRequest.watch)?.()
    let isUnwatched = false
    this.#unsubscribers.set(liveRequest.watch, () => (isUnwatched = true))
    void this.#watch(liveRequest.watch, liveRequest.after, () => isUnwatched).catch((err: unknown) => {
      this.#request.log.error({ err }, 'subscribe to run failed')
      this.#unsubscribers.delete(liveRequest.watch)
      this.#send({ run: liveRequest.watch, left: true })
    })
  }

  async #watch(run_id: string, after: number, isUnwatched: () => boolean): Promise<void> {
    const { ledger, executor, subscriptions } = this.#deps
    const row = await ledger.findSummary(run_id)
    if (isUnwatched() || this.#socket.readyState !== this.#socket.OPEN) return
    if (!row || !GENERATING_ENTRIES.includes(row.entry) || !isInScope(this.#accessScope, row)) {
      this.#unsubscribers.delete(run_id)
      return this.#send({ run: run_id, refused: { kind: 'invalid', status: 404, message: 'There is no such run.' } })
    }
    const sink = new SocketSink(run_id, this.#socket, this.#frameCoalescer, () => this.#unsubscribers.delete(run_id))
    const from = isActiveStatus(row.status) ? after : Math.min(after, row.frames)
    const stop = subscriptions.subscribe(
      sink,
      run_id,
      executor.liveRuns.get(run_id) ?? null,
      from,
      this.#request.sessionId,
    )
    if (sink.isDetached) return
    this.#unsubscribers.set(run_id, () => {
      // The page has unsubscribed and may subscribe again: a message about the old subscription would be mistaken for the
      // new one.
      sink.isDetached = true
      this.#frameCoalescer.dropRun(run_id)
      stop()
    })
  }
}

/** One run on the shared connection of a page. */
class SocketSink implements FrameSink {
  readonly #run: string
  readonly #socket: WebSocket
  readonly #frameCoalescer: FrameCoalescer
  readonly #onDetach: () => void
  isDetached = false

  constructor(run: string, socket: WebSocket, frameCoalescer: FrameCoalescer, onDetach: () => void) {
    this.#run = run
    this.#socket = socket
    this.#frameCoalescer = frameCoalescer
    this.#onDetach = onDetach
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount + this.#frameCoalescer.pendingChars
  }

  frames(frames: SentFrame[]): void {
    this.#frameCoalescer.addFrames(this.#run, frames)
  }

  caughtUp(): void {
    this.#frameCoalescer.send({ run: this.#run, live: true })
  }

  end(run: Run): void {
    this.isDetached = true
    this.#frameCoalescer.send({ run: this.#run, end: run })
  }

  detach(): void {
    if (!this.isDetached) this.#frameCoalescer.send({ run: this.#run, left: true })
    this.isDetached = true
    this.#onDetach()
  }

  /** A stalled browser is disconnected entirely: its queue delays all of its runs. */
  async whenDrained(limit: number, timeoutMs: number): Promise<boolean> {
    let minQueuedBytes = this.queuedBytes
    for (let idleMs = 0; this.queuedBytes > limit; idleMs += DRAIN_POLL_INTERVAL_MS) {
      if (this.#socket.readyState !== this.#socket.OPEN) return false
      if (this.queuedBytes < minQueuedBytes) idleMs = 0
      minQueuedBytes = Math.min(minQueuedBytes, this.queuedBytes)
      if (idleMs > timeoutMs) {
        this.#socket.terminate()
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_INTERVAL_MS))
    }
    return this.#socket.readyState === this.#socket.OPEN
  }
}

function parseLiveRequest(text: string): LiveRequest | null {
  try {
    return LiveRequest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
