import type { FastifyRequest } from 'fastify'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { type LiveMessage, MAX_WATCHED_RUNS, type WatchedRun } from '#contract/console/liveMessages.ts'
import { type AccessScope, isInScope } from '../../auth/accessScope.ts'
import type { SessionConnections } from '../../auth/sessionConnections.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { GENERATING_ENTRIES } from '../../ledger/runStatus.ts'
import type { RunExecutor } from '../runExecutor.ts'
import type { FrameSink, SentFrame } from './frameSink.ts'
import type { RunSubscriptions } from './runSubscriptions.ts'

const SESSION_CHECK_INTERVAL_MS = 15_000
/** How often a slow browser is checked (ms): a WebSocket has no drain event. */
const DRAIN_POLL_INTERVAL_MS = 50

export interface LivePageDeps {
  ledger: Ledger
  executor: RunExecutor
  subscriptions: RunSubscriptions
  connections: SessionConnections
}

/** The connection of a page: a WebSocket, or the response of an event stream. */
export interface PageConnection {
  readonly isOpen: boolean
  readonly queuedBytes: number
  send(message: LiveMessage): void
  closeSignedOut(): void
  /** Drops a browser that does not read. */
  terminate(): void
}

/**
 * The runs that one page watches over one connection. Its session is checked while it is open, and each run against
 * the person's access scope.
 */
export class LivePage {
  readonly #connection: PageConnection
  readonly #request: FastifyRequest
  readonly #deps: LivePageDeps
  readonly #frameCoalescer: FrameCoalescer
  readonly #sessionTimer: NodeJS.Timeout
  readonly #releaseSession: () => void
  #accessScope: AccessScope
  /** The subscribed runs, each with a function that unsubscribes without a message. */
  readonly #unsubscribers = new Map<string, () => void>()

  constructor(connection: PageConnection, request: FastifyRequest, deps: LivePageDeps) {
    this.#connection = connection
    this.#request = request
    this.#deps = deps
    this.#accessScope = request.accessScope
    this.#frameCoalescer = new FrameCoalescer((message) => {
      if (connection.isOpen) connection.send(message)
    })
    this.#sessionTimer = setInterval(() => void this.#checkSession(), SESSION_CHECK_INTERVAL_MS)
    this.#releaseSession = deps.connections.register(request.sessionId, () => void this.#checkSession())
  }

  close(): void {
    clearInterval(this.#sessionTimer)
    this.#releaseSession()
    for (const stop of [...this.#unsubscribers.values()]) stop()
    this.#frameCoalescer.close()
  }

  send = (message: LiveMessage): void => this.#frameCoalescer.send(message)

  /** Subscribes to runs, each after its frame `after`, with one query. A run that is already watched restarts there. */
  watch(runs: readonly WatchedRun[]): void {
    const pending = new Map<string, { after: number; isUnwatched: () => boolean }>()
    for (const { run, after } of runs) {
      this.unwatch(run)
      if (this.#unsubscribers.size >= MAX_WATCHED_RUNS) {
        this.send({ run, left: true })
        continue
      }
      let isUnwatched = false
      this.#unsubscribers.set(run, () => {
        isUnwatched = true
        this.#unsubscribers.delete(run)
      })
      pending.set(run, { after, isUnwatched: () => isUnwatched })
    }
    void this.#subscribeAll(pending).catch((err: unknown) => {
      this.#request.log.error({ err }, 'subscribe to run failed')
      for (const [run, { isUnwatched }] of pending) {
        if (isUnwatched()) continue
        this.unwatch(run)
        this.send({ run, left: true })
      }
    })
  }

  unwatch(run: string): void {
    this.#unsubscribers.get(run)?.()
  }

  async #subscribeAll(pending: ReadonlyMap<string, { after: number; isUnwatched: () => boolean }>): Promise<void> {
    const rows = await this.#deps.ledger.listSummaries([...pending.keys()])
    const rowsById = new Map(rows.map((row) => [row.id, row]))
    for (const [run, { after, isUnwatched }] of pending)
      if (!isUnwatched() && this.#connection.isOpen) this.#subscribe(run, after, rowsById.get(run))
  }

  #subscribe(run: string, after: number, row: CallRow | undefined): void {
    if (!row || !GENERATING_ENTRIES.includes(row.entry) || !isInScope(this.#accessScope, row)) {
      this.#unsubscribers.delete(run)
      return this.send({ run, refused: { kind: 'invalid', status: 404, message: 'The run was not found.' } })
    }
    const sink = new PageSink(run, this.#connection, this.#frameCoalescer, () => this.#unsubscribers.delete(run))
    const from = isActiveStatus(row.status) ? after : Math.min(after, row.frames)
    const liveRun = this.#deps.executor.liveRuns.get(run) ?? null
    const stop = this.#deps.subscriptions.subscribe(sink, run, liveRun, from, this.#request.sessionId)
    if (sink.isDetached) return
    this.#unsubscribers.set(run, () => {
      // The page has unsubscribed and may subscribe again: a message of the old subscription would be mistaken for
      // one of the new.
      sink.isDetached = true
      this.#frameCoalescer.dropRun(run)
      stop()
    })
  }

  /** Closes the connection if its session has ended, on this server or another. */
  async #checkSession(): Promise<void> {
    const found = await this.#request.findSignedIn().catch(() => undefined)
    if (found === null) return this.#connection.closeSignedOut()
    if (found) this.#accessScope = found.accessScope
    this.send({ alive: true })
  }
}

class PageSink implements FrameSink {
  readonly #run: string
  readonly #connection: PageConnection
  readonly #frameCoalescer: FrameCoalescer
  readonly #onDetach: () => void
  isDetached = false

  constructor(run: string, connection: PageConnection, frameCoalescer: FrameCoalescer, onDetach: () => void) {
    this.#run = run
    this.#connection = connection
    this.#frameCoalescer = frameCoalescer
    this.#onDetach = onDetach
  }

  get queuedBytes(): number {
    return this.#connection.queuedBytes + this.#frameCoalescer.pendingChars
  }

  frames(frames: SentFrame[]): void {
    this.#frameCoalescer.addFrames(this.#run, frames)
  }

  caughtUp(): void {
    this.#frameCoalescer.send({ run: this.#run, live: true })
  }

  serverSilent(isSilent: boolean): void {
    this.#frameCoalescer.send({ run: this.#run, silent: isSilent })
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

  /** A stalled browser is disconnected: its queue delays all of its runs. */
  async whenDrained(limit: number, timeoutMs: number): Promise<boolean> {
    let minQueuedBytes = this.queuedBytes
    for (let idleMs = 0; this.queuedBytes > limit; idleMs += DRAIN_POLL_INTERVAL_MS) {
      if (!this.#connection.isOpen) return false
      if (this.queuedBytes < minQueuedBytes) idleMs = 0
      minQueuedBytes = Math.min(minQueuedBytes, this.queuedBytes)
      if (idleMs > timeoutMs) {
        this.#connection.terminate()
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_INTERVAL_MS))
    }
    return this.#connection.isOpen
  }
}

type FrameTuples = Extract<LiveMessage, { frames: unknown }>['frames']

/** Milliseconds between two messages with frames: a page does not paint more often, and each message costs it a task. */
const FRAME_MS = 16

/**
 * Coalesces the frames of a page's connection. A frame is sent immediately if none was sent within the interval;
 * frames that arrive sooner are sent together. Other messages are sent immediately, after the frames before them.
 */
export class FrameCoalescer {
  readonly #sendMessage: (message: LiveMessage) => void
  readonly #pending = new Map<string, FrameTuples>()
  #pendingChars = 0
  #timer: NodeJS.Timeout | undefined

  constructor(sendMessage: (message: LiveMessage) => void) {
    this.#sendMessage = sendMessage
  }

  get pendingChars(): number {
    return this.#pendingChars
  }

  send(message: LiveMessage): void {
    this.#flush()
    this.#sendMessage(message)
  }

  addFrames(run: string, frames: SentFrame[]): void {
    const pending = this.#pending.get(run) ?? []
    this.#pending.set(run, pending)
    for (const { seq, block, at } of frames) {
      pending.push([seq, block, at])
      this.#pendingChars += block.length
    }
    if (this.#timer) return
    this.#flush()
    this.#timer = setTimeout(() => this.#onTimer(), FRAME_MS)
  }

  dropRun(run: string): void {
    for (const [, block] of this.#pending.get(run) ?? []) this.#pendingChars -= block.length
    this.#pending.delete(run)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#pending.clear()
    this.#pendingChars = 0
  }

  #onTimer(): void {
    this.#timer = this.#pending.size > 0 ? setTimeout(() => this.#onTimer(), FRAME_MS) : undefined
    this.#flush()
  }

  #flush(): void {
    for (const [run, frames] of this.#pending) this.#sendMessage({ run, frames })
    this.#pending.clear()
    this.#pendingChars = 0
  }
}
