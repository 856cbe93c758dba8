import type { FastifyReply } from 'fastify'
import type { Run } from '#contract/runs.ts'
import { isLive } from '#contract/runs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { NewFrame } from './frames.ts'
import type { LiveRun } from './live.ts'
import { runOf } from './row.ts'

/** Bytes that may wait for a slow browser; beyond it the browser is caught up from the table instead. */
const QUEUE_LIMIT = 1024 * 1024
const PAGE = 1000
const HEARTBEAT = 15_000
/** How often a run that another server reads is looked at, in milliseconds. */
const POLL = 250
/** How long a browser may take nothing of what waits for it, in milliseconds. It can come back and go on where it was. */
const PATIENCE = 30_000

/** What an attachment needs of a reply. */
export type Line = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** The streams that are open to browsers, so that a stopping server can end them. */
export class Attachments {
  readonly #open = new Set<Attachment>()
  readonly #ledger: Pick<Ledger, 'frames' | 'brief'>
  readonly #patience: number

  constructor(ledger: Pick<Ledger, 'frames' | 'brief'>, patience = PATIENCE) {
    this.#ledger = ledger
    this.#patience = patience
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Answers with the frames after `after`, then goes on live, and ends with a `loupe.run` block when the run has ended.
   * What goes out is in the table; none is missing and none comes twice.
   */
  attach(reply: Line, run_id: string, live: LiveRun | null, after: number): void {
    reply.hijack()
    // Its browser may have left while the platform was asked; nothing would ever say so again.
    if (reply.raw.destroyed) return
    const attachment = new Attachment(reply, this.#ledger, run_id, live, after, this.#patience)
    this.#open.add(attachment)
    reply.raw.once('close', () => this.#open.delete(attachment))
    attachment.begin()
  }

  /** Ends every stream without an end block: browsers come back to the next server and go on where they were. */
  close(): void {
    for (const attachment of this.#open) attachment.stop()
  }
}

class Attachment {
  readonly #reply: Line
  readonly #ledger: Pick<Ledger, 'frames' | 'brief'>
  readonly #run_id: string
  readonly #live: LiveRun | null
  readonly #patience: number
  #sent: number
  #mode: 'live' | 'catching up' = 'catching up'
  /** Frames published while a page is read; null while nobody gathers them, or when they became too many. */
  #missed: NewFrame[] | null = null
  #missedBytes = 0
  #end: Run | null = null
  #stopped = false
  #saidLive = false
  #unwatch: () => void = () => undefined
  #heartbeat: NodeJS.Timeout | undefined

  constructor(
    reply: Line,
    ledger: Pick<Ledger, 'frames' | 'brief'>,
    run_id: string,
    live: LiveRun | null,
    after: number,
    patience: number,
  ) {
    this.#reply = reply
    this.#ledger = ledger
    this.#run_id = run_id
    this.#live = live
    this.#sent = after
    this.#patience = patience
  }

  begin(): void {
    const { raw } = this.#reply
    raw.writeHead(200, {
      ...(this.#reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'run-id': this.#run_id,
    })
    raw.flushHeaders()
    raw.on('error', () => this.stop())
    raw.once('close', () => this.stop())
    this.#heartbeat = setInterval(() => raw.write(': alive\n\n'), HEARTBEAT)
    // A run that has just begun has nothing in the table yet.
    if (this.#live?.untouched && this.#sent === 0) this.#mode = 'live'
    if (this.#live)
      this.#unwatch = this.#live.watch((event) => ('end' in event ? this.#finish(event.end) : this.#take(event.frames)))
    if (this.#mode === 'catching up') this.#startCatchingUp()
  }

  /** No word more goes out. A browser that does not even take what is under way is left behind. */
  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    clearInterval(this.#heartbeat)
    this.#unwatch()
    this.#missed = null
    const { raw } = this.#reply
    if (raw.destroyed) return
    const leave = setTimeout(() => raw.destroy(), this.#patience)
    raw.once('close', () => clearTimeout(leave))
    raw.end()
  }

  #take(frames: NewFrame[]): void {
    if (this.#mode === 'catching up') return this.#gather(frames)
    this.#write(frames)
    if (this.#reply.raw.writableLength <= QUEUE_LIMIT) return
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
    while (!this.#stopped && (await this.#drained())) {
      this.#missed = []
      this.#missedBytes = 0
      const end = this.#end ?? (this.#live ? null : await this.#endElsewhere())
      const frames = await this.#ledger.frames(this.#run_id, this.#sent, PAGE, QUEUE_LIMIT)
      this.#write(frames)
      if (this.#stopped) return
      if (end && frames.length === 0) return this.#close(end)
      if (end || isFull(frames)) continue
      if (!this.#live) {
        this.#sayLive()
        await this.#pause()
        continue
      }
      const next: NewFrame[] | null = this.#missed
      this.#missed = null
      if (!next || this.#end) continue
      this.#write(next)
      this.#mode = 'live'
      this.#sayLive()
      return
    }
  }

  /** For a run that this server does not read: the run as its row has it, null while it goes on. */
  async #endElsewhere(): Promise<Run | null> {
    const row = await this.#ledger.brief(this.#run_id)
    if (!row) this.stop()
    return !row || isLive(row.status) ? null : runOf(row)
  }

  #write(frames: { seq: number; block: string }[]): void {
    let text = ''
    for (const { seq, block } of frames) {
      if (seq <= this.#sent) continue
      text += `${block}\nid: ${seq}\n\n`
      this.#sent = seq
    }
    if (text && !this.#stopped) this.#reply.raw.write(text)
  }

  #close(run: Run): void {
    if (!this.#stopped) this.#reply.raw.write(`event: loupe.run\ndata: ${JSON.stringify(run)}\n\n`)
    this.stop()
  }

  /** Tells the browser that it has all there is: a comment, which no fold ever sees. */
  #sayLive(): void {
    if (this.#saidLive || this.#stopped) return
    this.#saidLive = true
    this.#reply.raw.write(': live\n\n')
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, POLL))
  }

  /** Waits until the browser has taken what waits for it. @returns false when it takes nothing: it is left behind. */
  #drained(): Promise<boolean> {
    const { raw } = this.#reply
    if (raw.writableLength <= QUEUE_LIMIT) return Promise.resolve(true)
    return new Promise((resolve) => {
      const leave = setTimeout(() => raw.destroy(), this.#patience)
      const settle = (drained: boolean) => {
        clearTimeout(leave)
        raw.off('drain', onDrain).off('close', onClose)
        resolve(drained)
      }
      const onDrain = () => settle(true)
      const onClose = () => settle(false)
      raw.once('drain', onDrain).once('close', onClose)
    })
  }
}

/** There may be more: a page ends at a number of frames or of bytes. */
const isFull = (frames: { bytes: number }[]): boolean =>
  frames.length === PAGE || frames.reduce((sum, { bytes }) => sum + bytes, 0) >= QUEUE_LIMIT
