import type { FastifyReply } from 'fastify'
import type { Run } from '#contract/runs.ts'
import { Lines } from '../access/lines.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { NewFrame } from './frames.ts'
import type { LiveRun } from './live.ts'
import { EventStream } from './event-stream.ts'

/**
 * Bytes that may wait for a slow browser; beyond it the browser is caught up from the table instead, in pages of as much. What
 * waits costs three times its size on its way into a socket, and there may be hundreds of such browsers.
 */
const QUEUE_LIMIT = 128 * 1024
const PAGE = 1000
/** How long a browser may take nothing of what waits for it, in milliseconds. It can come back and go on where it was. */
const PATIENCE = 30_000

/** What an attachment needs of a reply. */
export type Line = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** Where the frames of one run go: to a browser, in whatever form. */
export interface Sink {
  /** Bytes that wait for the browser. */
  readonly waiting: number
  frames(frames: { seq: number; block: string }[]): void
  /** The browser has all there is. */
  live(): void
  /** The run as its row has it: the last word. */
  end(run: Run): void
  /** No word more, and no end: the browser may come back. It has `patience` milliseconds to take what is under way. */
  leave(patience: number): void
  /** Resolves when no more than `limit` bytes wait; false when the browser takes nothing for `patience` milliseconds. */
  drained(limit: number, patience: number): Promise<boolean>
}

/** Where frames are read that are not handed on as they come: of a run that this server carries, and of all others. */
interface Tables {
  ledger: Pick<Ledger, 'frames'>
  elsewhere: Pick<Elsewhere, 'follow'>
}

/** The streams that are open to browsers, so that a stopping server can end them, and a session its own. */
export class Attachments {
  readonly #open = new Set<Attachment>()
  readonly #lines: Lines
  readonly #tables: Tables
  readonly #patience: number

  constructor(tables: Tables, lines = new Lines(), patience = PATIENCE) {
    this.#tables = tables
    this.#lines = lines
    this.#patience = patience
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Answers with the frames after `after`, then goes on live (`live`: the run, where this server carries it), and ends with a `loupe.run` block when the run has ended.
   * What goes out is in the table; none is missing and none comes twice.
   */
  attach(reply: Line, run_id: string, live: LiveRun | null, after: number, session: string | null = null): void {
    reply.hijack()
    // Its browser may have left while the platform was asked; nothing would ever say so again.
    if (reply.raw.destroyed) return
    const stream = new EventStream(reply, run_id)
    const stop = this.watch(stream, run_id, live, after, session)
    reply.raw.once('close', stop).on('error', stop)
  }

  /** The same into any sink. @returns what ends it before the run does. */
  watch(sink: Sink, run_id: string, live: LiveRun | null, after: number, session: string | null = null): () => void {
    const attachment = new Attachment(sink, this.#tables, run_id, live, after, this.#patience, () => {
      this.#open.delete(attachment)
      release()
    })
    const release = this.#lines.hold(session, () => attachment.stop())
    this.#open.add(attachment)
    attachment.begin()
    return () => attachment.stop()
  }

  /** Ends every stream without an end block: browsers come back to the next server and go on where they were. */
  close(): void {
    for (const attachment of [...this.#open]) attachment.stop()
  }
}

class Attachment {
  readonly #sink: Sink
  readonly #tables: Tables
  readonly #run_id: string
  readonly #live: LiveRun | null
  readonly #patience: number
  readonly #onStop: () => void
  #sent: number
  #mode: 'live' | 'catching up' = 'catching up'
  /** Frames published while a page is read; null while nobody gathers them, or when they became too many. */
  #missed: NewFrame[] | null = null
  #missedBytes = 0
  #end: Run | null = null
  #stopped = false
  #saidLive = false
  #unwatch: () => void = () => undefined

  constructor(
    sink: Sink,
    tables: Tables,
    run_id: string,
    live: LiveRun | null,
    after: number,
    patience: number,
    onStop: () => void,
  ) {
    this.#sink = sink
    this.#tables = tables
    this.#run_id = run_id
    this.#live = live
    this.#sent = after
    this.#patience = patience
    this.#onStop = onStop
  }

  begin(): void {
    if (!this.#live) return void this.#follow().catch(() => this.stop())
    // A run that has just begun has nothing in the table yet.
    if (this.#live.untouched && this.#sent === 0) this.#mode = 'live'
    this.#unwatch = this.#live.watch((event) => ('end' in event ? this.#finish(event.end) : this.#take(event.frames)))
    if (this.#mode === 'catching up') this.#startCatchingUp()
    else this.#sayLive()
  }

  /** No word more goes out. A browser that does not even take what is under way is left behind. */
  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#unwatch()
    this.#missed = null
    this.#onStop()
    this.#sink.leave(this.#patience)
  }

  #take(frames: NewFrame[]): void {
    if (this.#mode === 'catching up') return this.#gather(frames)
    this.#write(frames)
    if (this.#sink.waiting <= QUEUE_LIMIT) return
    this.#mode = 'catching up'
    this.#startCatchingUp()
  }

  #gather(frames: NewFrame[]): void {
    if (!this.#missed) return
    for (const frame of frames) this.#missedBytes += frame.bytes
    if (this.#missed.length + frames.length > PAGE || this.#missedBytes > QUEUE_LIMIT) this.#missed = null
    else this.#missed.push(...frames)
  }

  /** Null: the end is not written. The stream ends without its block, as one whose server has died. */
  #finish(run: Run | null): void {
    if (!run) return this.stop()
    this.#end = run
    if (this.#mode === 'live') this.#close(run)
  }

  #startCatchingUp(): void {
    void this.#catchUp().catch(() => this.stop())
  }

  /** Reads the table from where the browser stands until it has all, then goes live. */
  async #catchUp(): Promise<void> {
    while (!this.#stopped && (await this.#sink.drained(QUEUE_LIMIT, this.#patience))) {
      this.#missed = []
      this.#missedBytes = 0
      const end = this.#end
      const frames = await this.#tables.ledger.frames(this.#run_id, this.#sent, PAGE, QUEUE_LIMIT)
      this.#write(frames)
      if (this.#stopped) return
      if (end && frames.length === 0) return this.#close(end)
      if (end || isFull(frames)) continue
      const next: NewFrame[] | null = this.#missed
      this.#missed = null
      if (!next || this.#end) continue
      this.#write(next)
      this.#mode = 'live'
      this.#sayLive()
      return
    }
  }

  /** A run that this server does not carry: it has ended, or another one carries it. */
  async #follow(): Promise<void> {
    const following = this.#tables.elsewhere.follow(this.#run_id)
    this.#unwatch = following.leave
    while (!this.#stopped && (await this.#sink.drained(QUEUE_LIMIT, this.#patience))) {
      const news = await following.after(this.#sent)
      if (!news) break
      this.#write(news.frames)
      if (news.end) return this.#close(news.end)
      if (news.isWhole) this.#sayLive()
    }
    this.stop()
  }

  #write(frames: { seq: number; block: string }[]): void {
    const fresh = frames.filter(({ seq }) => seq > this.#sent)
    this.#sent = fresh.at(-1)?.seq ?? this.#sent
    if (fresh.length > 0 && !this.#stopped) this.#sink.frames(fresh)
  }

  #close(run: Run): void {
    if (!this.#stopped) this.#sink.end(run)
    this.stop()
  }

  /** Tells the browser that it has all there is. */
  #sayLive(): void {
    if (this.#saidLive || this.#stopped) return
    this.#saidLive = true
    this.#sink.live()
  }
}

/** There may be more: a page ends at a number of frames or of bytes. */
const isFull = (frames: { bytes: number }[]): boolean =>
  frames.length === PAGE || frames.reduce((sum, { bytes }) => sum + bytes, 0) >= QUEUE_LIMIT
