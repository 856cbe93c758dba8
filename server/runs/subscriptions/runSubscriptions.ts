import type { Run } from '#contract/console/runs.ts'
import { SessionConnections } from '../../auth/sessionConnections.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RemoteRunReader } from './remoteRunReader.ts'
import type { NewFrame } from '../streaming/frameWriter.ts'
import type { LiveRun } from '../liveRun.ts'
import { EventStreamSink } from './eventStreamSink.ts'
import type { FrameSink, SentFrame, StreamReply } from './frameSink.ts'

/**
 * Bytes queued for a slow browser; beyond this limit it catches up from the table, in pages of the same size. Queued
 * data takes three times its size in the socket, and there may be hundreds of such browsers.
 */
const QUEUE_LIMIT_BYTES = 128 * 1024
const PAGE_FRAMES = 1000
/** How long a browser may read nothing of its queue (ms). It can reconnect and continue at its position. */
const DRAIN_TIMEOUT_MS = 30_000

interface FrameSources {
  ledger: Pick<Ledger, 'readFrames'>
  remoteRuns: Pick<RemoteRunReader, 'subscribe'>
}

/** The open streams to browsers: a stopping server ends all, an ended session its own. */
export class RunSubscriptions {
  readonly #subscriptions = new Set<RunSubscription>()
  readonly #connections: SessionConnections
  readonly #sources: FrameSources
  readonly #drainTimeoutMs: number

  constructor(tables: FrameSources, connections = new SessionConnections(), drainTimeoutMs = DRAIN_TIMEOUT_MS) {
    this.#sources = tables
    this.#connections = connections
    this.#drainTimeoutMs = drainTimeoutMs
  }

  get size(): number {
    return this.#subscriptions.size
  }

  /**
   * Replies with the frames after `after`, then continues live (`live`: the run, if this server executes it), and
   * ends with a `loupe.run` block when the run has ended. Only stored frames are sent; none is missing or sent twice.
   */
  subscribeStream(
    reply: StreamReply,
    run_id: string,
    liveRun: LiveRun | null,
    after: number,
    session: string | null = null,
  ): void {
    reply.hijack()
    // The browser may have disconnected during the platform call, and no later event would report it.
    if (reply.raw.destroyed) return
    const stream = new EventStreamSink(reply, run_id)
    const stop = this.subscribe(stream, run_id, liveRun, after, session)
    reply.raw.once('close', stop).on('error', stop)
  }

  /** The same into any sink. @returns a function that ends the stream before the run ends */
  subscribe(
    sink: FrameSink,
    run_id: string,
    liveRun: LiveRun | null,
    after: number,
    session: string | null = null,
  ): () => void {
    const attachment = new RunSubscription(sink, this.#sources, run_id, liveRun, after, this.#drainTimeoutMs, () => {
      this.#subscriptions.delete(attachment)
      release()
    })
    const release = this.#connections.register(session, () => attachment.stop())
    this.#subscriptions.add(attachment)
    attachment.start()
    return () => attachment.stop()
  }

  /** Ends every stream without an end block: browsers reconnect to the next server and continue at their position. */
  close(): void {
    for (const attachment of [...this.#subscriptions]) attachment.stop()
  }
}

class RunSubscription {
  readonly #sink: FrameSink
  readonly #sources: FrameSources
  readonly #run_id: string
  readonly #liveRun: LiveRun | null
  readonly #drainTimeoutMs: number
  readonly #onStop: () => void
  #lastSeq: number
  #mode: 'live' | 'catching up' = 'catching up'
  /** Frames published while a page is read; null while they are not collected, or when there were too many. */
  #missedFrames: NewFrame[] | null = null
  #missedBytes = 0
  #end: Run | null = null
  #isStopped = false
  #hasReportedCaughtUp = false
  #unsubscribe: () => void = () => undefined

  constructor(
    sink: FrameSink,
    sources: FrameSources,
    run_id: string,
    liveRun: LiveRun | null,
    after: number,
    drainTimeoutMs: number,
    onStop: () => void,
  ) {
    this.#sink = sink
    this.#sources = sources
    this.#run_id = run_id
    this.#liveRun = liveRun
    this.#lastSeq = after
    this.#drainTimeoutMs = drainTimeoutMs
    this.#onStop = onStop
  }

  start(): void {
    if (!this.#liveRun) return void this.#followRemote().catch(() => this.stop())
    // A run that has just started has no frames in the table yet.
    if (this.#liveRun.hasNoFrames && this.#lastSeq === 0) this.#mode = 'live'
    this.#unsubscribe = this.#liveRun.subscribe((event) =>
      'end' in event ? this.#onEnd(event.end) : this.#onFrames(event.frames),
    )
    if (this.#mode === 'catching up') this.#startReadingMissed()
    else this.#reportCaughtUp()
  }

  /** Stops sending. A browser that does not read what is in flight is disconnected. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#unsubscribe()
    this.#missedFrames = null
    this.#onStop()
    this.#sink.detach(this.#drainTimeoutMs)
  }

  #onFrames(frames: NewFrame[]): void {
    if (this.#mode === 'catching up') return this.#bufferFrames(frames)
    this.#write(frames)
    if (this.#sink.queuedBytes <= QUEUE_LIMIT_BYTES) return
    this.#mode = 'catching up'
    this.#startReadingMissed()
  }

  #bufferFrames(frames: NewFrame[]): void {
    if (!this.#missedFrames) return
    for (const frame of frames) this.#missedBytes += frame.bytes
    if (this.#missedFrames.length + frames.length > PAGE_FRAMES || this.#missedBytes > QUEUE_LIMIT_BYTES)
      this.#missedFrames = null
    else this.#missedFrames.push(...frames)
  }

  /** Null: the end could not be written. The stream ends without its end block, as if the server had crashed. */
  #onEnd(run: Run | null): void {
    if (!run) return this.stop()
    this.#end = run
    if (this.#mode === 'live') this.#close(run)
  }

  #startReadingMissed(): void {
    void this.#readMissed().catch(() => this.stop())
  }

  /** Reads the table from the browser's position to the last frame, then continues live. */
  async #readMissed(): Promise<void> {
    while (!this.#isStopped && (await this.#sink.whenDrained(QUEUE_LIMIT_BYTES, this.#drainTimeoutMs))) {
      this.#missedFrames = []
      this.#missedBytes = 0
      const end = this.#end
      const frames = await this.#sources.ledger.readFrames(this.#run_id, this.#lastSeq, PAGE_FRAMES, QUEUE_LIMIT_BYTES)
      this.#write(frames)
      if (this.#isStopped) return
      if (end && frames.length === 0) return this.#close(end)
      if (end || isFullPage(frames)) continue
      const next: NewFrame[] | null = this.#missedFrames
      this.#missedFrames = null
      if (!next || this.#end) continue
      this.#write(next)
      this.#mode = 'live'
      this.#reportCaughtUp()
      return
    }
  }

  /** For a run that this server does not execute: it has ended, or another server executes it. */
  async #followRemote(): Promise<void> {
    const reader = this.#sources.remoteRuns.subscribe(this.#run_id)
    this.#unsubscribe = reader.unsubscribe
    let isServerSilent = false
    while (!this.#isStopped && (await this.#sink.whenDrained(QUEUE_LIMIT_BYTES, this.#drainTimeoutMs))) {
      const update = await reader.readAfter(this.#lastSeq)
      if (!update) break
      this.#write(update.frames)
      if (update.end) return this.#close(update.end)
      if (update.isComplete) this.#reportCaughtUp()
      if (update.isServerSilent !== isServerSilent) {
        isServerSilent = update.isServerSilent
        if (!this.#isStopped) this.#sink.serverSilent(isServerSilent)
      }
    }
    this.stop()
  }

  #write(frames: SentFrame[]): void {
    const newFrames = frames.filter(({ seq }) => seq > this.#lastSeq)
    this.#lastSeq = newFrames.at(-1)?.seq ?? this.#lastSeq
    if (newFrames.length > 0 && !this.#isStopped) this.#sink.frames(newFrames)
  }

  #close(run: Run): void {
    if (!this.#isStopped) this.#sink.end(run)
    this.stop()
  }

  #reportCaughtUp(): void {
    if (this.#hasReportedCaughtUp || this.#isStopped) return
    this.#hasReportedCaughtUp = true
    this.#sink.caughtUp()
  }
}

/** A page ends at a number of frames or of bytes, so there may be more. */
const isFullPage = (frames: { bytes: number }[]): boolean =>
  frames.length === PAGE_FRAMES || frames.reduce((sum, { bytes }) => sum + bytes, 0) >= QUEUE_LIMIT_BYTES
