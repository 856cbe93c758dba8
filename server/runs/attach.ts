import type { FastifyReply } from 'fastify'
import type { Run } from '#contract/console.ts'
import { isLive } from '#contract/console.ts'
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

/** The streams that are open to browsers, so that a stopping server can end them. */
export class Attachments {
  readonly #open = new Set<Attachment>()
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Answers with the frames after `after`, then goes on live, and ends with a `loupe.run` block when the run has ended.
   * What goes out is in the table; none is missing and none comes twice.
   */
  attach(reply: FastifyReply, run_id: string, live: LiveRun | null, after: number): void {
    const attachment = new Attachment(reply, this.#ledger, run_id, live, after)
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
  readonly #reply: FastifyReply
  readonly #ledger: Ledger
  readonly #run_id: string
  readonly #live: LiveRun | null
  #sent: number
  #mode: 'live' | 'catching up' = 'catching up'
  #missed: NewFrame[] = []
  #end: Run | null = null
  #stopped = false
  #saidLive = false
  #unwatch: () => void = () => undefined
  #heartbeat: NodeJS.Timeout | undefined

  constructor(reply: FastifyReply, ledger: Ledger, run_id: string, live: LiveRun | null, after: number) {
    this.#reply = reply
    this.#ledger = ledger
    this.#run_id = run_id
    this.#live = live
    this.#sent = after
  }

  begin(): void {
    const { raw } = this.#reply
    this.#reply.hijack()
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
    if (this.#live)
      this.#unwatch = this.#live.watch((event) => ('end' in event ? this.#finish(event.end) : this.#take(event.frames)))
    // A run that has just begun has nothing in the table yet.
    if (this.#live && this.#sent === 0 && this.#live.untouched) this.#mode = 'live'
    else void this.#catchUp().catch(() => this.stop())
  }

  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    clearInterval(this.#heartbeat)
    this.#unwatch()
    this.#reply.raw.end()
  }

  #take(frames: NewFrame[]): void {
    if (this.#mode === 'catching up') {
      if (this.#missed.length < PAGE) this.#missed.push(...frames)
      return
    }
    this.#write(frames)
    if (this.#reply.raw.writableLength <= QUEUE_LIMIT) return
    this.#mode = 'catching up'
    void this.#catchUp().catch(() => this.stop())
  }

  #finish(run: Run): void {
    this.#end = run
    if (this.#mode === 'live') this.#close(run)
  }

  /** Reads the table from where the browser stands until it has all, then goes live. */
  async #catchUp(): Promise<void> {
    while (!this.#stopped) {
      await this.#drained()
      this.#missed = []
      const frames = await this.#ledger.frames(this.#run_id, this.#sent, PAGE)
      this.#write(frames)
      if (frames.length === PAGE || this.#stopped) continue
      if (!this.#live) {
        if (await this.#endedElsewhere()) return
        continue
      }
      const next = this.#missed.filter(({ seq }) => seq > this.#sent)
      if (next.length > 0 && (next[0]?.seq !== this.#sent + 1 || this.#missed.length >= PAGE)) continue
      this.#write(next)
      this.#missed = []
      if (this.#end && this.#sent < this.#end.frames) continue
      this.#mode = 'live'
      if (this.#end) this.#close(this.#end)
      else this.#sayLive()
      return
    }
  }

  /** For a run that this server does not read: looks at its row, and waits a little when it goes on. */
  async #endedElsewhere(): Promise<boolean> {
    const row = await this.#ledger.read(this.#run_id)
    if (!row) {
      this.stop()
      return true
    }
    if (isLive(row.status)) {
      this.#sayLive()
      await new Promise((resolve) => setTimeout(resolve, POLL))
      return false
    }
    if (this.#sent < row.frames) return false
    this.#close(runOf(row))
    return true
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

  #drained(): Promise<void> {
    const { raw } = this.#reply
    if (raw.writableLength <= QUEUE_LIMIT) return Promise.resolve()
    return new Promise((resolve) => {
      raw.once('drain', resolve)
      raw.once('close', resolve)
    })
  }
}
