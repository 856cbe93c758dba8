import type { Run } from '#contract/console/runs.ts'
import { SessionConnections } from '../../auth/sessionConnections.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RemoteRunReader } from './remoteRunReader.ts'
import type { NewFrame } from '../streaming/frameWriter.ts'
import type { LiveRun } from '../liveRun.ts'
import { EventStreamSink } from './eventStreamSink.ts'
import type { FrameSink, StreamReply } from './frameSink.ts'

/**
 * Bytes that may wait for a slow browser; beyond it the browser is caught up from the table instead, in pages of as much. What
 * waits costs three times its size on its way into a socket, and there may be hundreds of such browsers.
 */
const QUEUE_LIMIT_BYTES = 128 * 1024
const PAGE_FRAMES = 1000
/** How long a browser may take nothing of what waits for it, in milliseconds. It can come back and go on where it was. */
const DRAIN_TIMEOUT_MS = 30_000

/** Where frames are read that are not handed on as they come: of a run that this server carries, and of all others. */
interface FrameSources {
  ledger: Pick<Ledger, 'readFrames'>
  remoteRuns: Pick<RemoteRunReader, 'subscribe'>
}

/** The streams that are open to browsers, so that a stopping server can end them, and a session its own. */
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
   * Answers with the frames after `after`, then goes on live (`live`: the run, where this server carries it), and ends with a `loupe.run` block when the run has ended.
   * What goes out is in the table; none is missing and none comes twice.
   */
  subscribeStream(
    reply: StreamReply,
    run_id: string,
    liveRun: LiveRun | null,
    after: number,
    session: string | null = null,
  ): void {
    reply.hijack()
    // Its browser may have left while the platform was asked; nothing would ever say so again.
    if (reply.raw.destroyed) return
    const stream = new EventStreamSink(reply, run_id)
    const stop = this.subscribe(stream, run_id, liveRun, after, session)
    reply.raw.once('close', stop).on('error', stop)
  }

  /** The same into any sink. @returns what ends it before the run does. */
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

  /** Ends every stream without an end block: browsers come back to the next server and go on where they were. */
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
  /** Frames published while a page is read; null while nobody gathers them, or when they became too many. */
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
    // A run that has just begun has nothing in the table yet.
    if (this.#liveRun.hasNoFrames && this.#lastSeq === 0) this.#mode = 'live'
    this.#unsubscribe = this.#liveRun.subscribe((event) =>
      'end' in event ? this.#onEnd(event.end) : this.#onFrames(event.frames),
    )
    if (this.#mode === 'catching up') this.#startReadingMissed()
    else this.#reportCaughtUp()
  }

  /** No word more goes out. A browser that does not even take what is under way is left behind. */
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

  /** Null: the end is not written. The stream ends without its block, as one whose server has died. */
  #onEnd(run: Run | null): void {
    if (!run) return this.stop()
    this.#end = run
    if (this.#mode === 'live') this.#close(run)
  }

  #startReadingMissed(): void {
    void this.#readMissed().catch(() => this.stop())
  }

  /** Reads the table from where the browser stands until it has all, then goes live. */
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

  /** A run that this server does not carry: it has ended, or another one carries it. */
  async #followRemote(): Promise<void> {
    const reader = this.#sources.remoteRuns.subscribe(this.#run_id)
    this.#unsubscribe = reader.unsubscribe
    while (!this.#isStopped && (await this.#sink.whenDrained(QUEUE_LIMIT_BYTES, this.#drainTimeoutMs))) {
      const update = await reader.readAfter(this.#lastSeq)
      if (!update) break
      this.#write(update.frames)
      if (update.end) return this.#close(update.end)
      if (update.isComplete) this.#reportCaughtUp()
    }
    this.stop()
  }

  #write(frames: { seq: number; block: string }[]): void {
    const newFrames = frames.filter(({ seq }) => seq > this.#lastSeq)
    this.#lastSeq = newFrames.at(-1)?.seq ?? this.#lastSeq
    if (newFrames.length > 0 && !this.#isStopped) this.#sink.frames(newFrames)
  }

  #close(run: Run): void {
    if (!this.#isStopped) this.#sink.end(run)
    this.stop()
  }

  /** Tells the browser that it has all there is. */
  #reportCaughtUp(): void {
    if (this.#hasReportedCaughtUp || this.#isStopped) return
    this.#hasReportedCaughtUp = true
    this.#sink.caughtUp()
  }
}

/** There may be more: a page ends at a number of frames or of bytes. */
const isFullPage = (frames: { bytes: number }[]): boolean =>
  frames.length === PAGE_FRAMES || frames.reduce((sum, { bytes }) => sum + bytes, 0) >= QUEUE_LIMIT_BYTES
