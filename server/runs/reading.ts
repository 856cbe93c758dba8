import { eventOf } from '#contract/frame.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallEnd } from '../ledger/ledger.ts'
import { redact } from '../relay/redact.ts'
import { type Answer, problemOf } from '../relay/upstream.ts'
import type { FrameWriter, NewFrame } from './frames.ts'
import type { LiveRun } from './live.ts'
import { type FoldState, hasText, type Ids, idsOf, usageOf } from './outcome.ts'
import type { RunOrder } from './runner.ts'
import { BlockTooLarge, type RawBlock, Splitter } from './split.ts'

/** Bounds of one run: bytes and frames kept, milliseconds it may last, bytes that may wait for the database. */
const RUN_BYTES = 64 * 1024 * 1024
const RUN_FRAMES = 200_000
const RUN_TIME = 60 * 60_000
const UNWRITTEN_BYTES = 4 * 1024 * 1024

/** The reading of one stream: cuts it into frames, folds them, and hands them on once they are in the table. */
export class Reading {
  readonly #order: RunOrder
  readonly #run: LiveRun
  readonly #writer: FrameWriter
  readonly #began = performance.now()
  #seq = 0
  #bytes = 0
  #unwritten = 0
  #firstFrame: number | null = null
  #firstToken: number | null = null
  #identified = 0
  #written: Promise<void> = Promise.resolve()
  #broken: Error | null = null

  constructor(order: RunOrder, run: LiveRun, writer: FrameWriter) {
    this.#order = order
    this.#run = run
    this.#writer = writer
  }

  /** Reads to the end. @returns what went wrong on the way, or null for a clean close. */
  async read(answer: Answer, identify: (ids: Ids) => void): Promise<Problem | null> {
    const splitter = new Splitter()
    const limit = setTimeout(() => answer.body.destroy(), RUN_TIME)
    let problem: Problem | null = null
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        this.#accept(splitter.push(chunk), identify)
        if (this.#unwritten > UNWRITTEN_BYTES) await this.#written
        if (this.#broken) throw this.#broken
        if (this.#bytes > RUN_BYTES || this.#seq > RUN_FRAMES) throw new ProblemError(tooLarge('The stream', '64 MiB'))
      }
    } catch (error) {
      answer.body.on('error', () => undefined).destroy()
      if (error instanceof BlockTooLarge) this.#accept(error.blocks, identify)
      problem = this.#broken
        ? { kind: 'fault', message: `The console’s database failed. What came after frame ${this.#seq} is not kept.` }
        : error instanceof BlockTooLarge
          ? tooLarge('A frame', '1 MiB')
          : problemOf(error)
    } finally {
      clearTimeout(limit)
    }
    const tail = splitter.end()
    if (tail) this.#accept([tail], identify)
    await this.#written
    return problem
  }

  #accept(blocks: RawBlock[], identify: (ids: Ids) => void): void {
    if (blocks.length === 0) return
    const at = this.#elapsed()
    this.#run.untouched = false
    this.#firstFrame ??= at
    const frames: NewFrame[] = []
    for (const { text, bytes } of blocks) {
      const block = redact(text, this.#order.credential.secret)
      frames.push({ seq: ++this.#seq, at, bytes, block })
      this.#bytes += bytes
      this.#run.state = this.#fold(eventOf(block))
    }
    if (this.#firstToken === null && hasText(this.#run.state)) this.#firstToken = at
    const ids = idsOf(this.#run.state)
    const known = Object.values(ids).filter(Boolean).length
    if (known > this.#identified) {
      this.#identified = known
      identify(ids)
    }
    this.#write(frames)
  }

  #write(frames: NewFrame[]): void {
    const size = frames.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#unwritten += size
    this.#written = this.#writer.write(this.#run.id, frames).then(
      () => {
        this.#unwritten -= size
        this.#run.publish(frames)
      },
      (error: Error) => {
        this.#broken ??= error
      },
    )
  }

  /** A reply that came whole. */
  take(reply: unknown, bytes: number): FoldState {
    this.#bytes = bytes
    return this.#fold(reply)
  }

  #fold = (event: unknown): FoldState =>
    event === undefined ? this.#run.state : this.#order.events.fold(this.#run.state, event)

  end(status: CallEnd['status'], problem: Problem | null): CallEnd {
    return {
      status,
      problem,
      answer: this.#run.state,
      frames: this.#seq,
      bytes: this.#bytes,
      first_frame_ms: this.#firstFrame,
      first_token_ms: this.#firstToken,
      duration_ms: this.#elapsed(),
      ...idsOf(this.#run.state),
      ...usageOf(this.#run.state),
    }
  }

  #elapsed = () => Math.round(performance.now() - this.#began)
}

const tooLarge = (what: string, limit: string): Problem => ({
  kind: 'mismatch',
  message: `${what} is over ${limit}. What came before it is kept.`,
})
