import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallEnd } from '../ledger/call.ts'
import { type Answer, problemOf } from '../relay/upstream.ts'
import type { FrameWriter, NewFrame } from './frames.ts'
import type { LiveRun } from './live.ts'
import { type FoldState, hasText, type Ids, idsOf, namesOf, usageOf } from './outcome.ts'
import type { RunOrder } from './runner.ts'
import { BLOCK_LIMIT, BlockTooLarge, type RawBlock, Splitter } from './split.ts'
import { type CleanFrame, StreamRedactor } from './stream-redactor.ts'

/** Bounds of one run: bytes and frames kept, milliseconds it may last, bytes that may wait for the database. */
export const BOUNDS = { bytes: 64 * 1024 * 1024, frames: 200_000, time: 60 * 60_000, unwritten: 4 * 1024 * 1024 }

/** Bytes that are taken at once at most. */
const PIECE = 64 * 1024

/** The reading of one stream: cuts it into frames, folds them, and hands them on once they are in the table. */
export class Reading {
  readonly #order: Pick<RunOrder, 'credential' | 'events'>
  readonly #run: LiveRun
  readonly #writer: FrameWriter
  readonly #bounds: typeof BOUNDS
  readonly #redactor: StreamRedactor
  readonly #observe: (event: unknown) => void
  readonly #began = performance.now()
  #seq = 0
  /** The last frame that is in the table. */
  #kept = 0
  #bytes = 0
  #unwritten = 0
  #firstFrame: number | null = null
  #firstToken: number | null = null
  /** How many ids are known; fewer than none before the first frame. */
  #identified = -1
  #written: Promise<void> = Promise.resolve()
  #broken: Error | null = null

  constructor(
    order: Pick<RunOrder, 'credential' | 'events'>,
    run: LiveRun,
    writer: FrameWriter,
    observe: (event: unknown) => void,
    bounds: typeof BOUNDS = BOUNDS,
  ) {
    this.#order = order
    this.#run = run
    this.#writer = writer
    this.#observe = observe
    this.#bounds = bounds
    this.#redactor = new StreamRedactor(order.credential.secret)
  }

  /** True once the stream has held a part of the key. */
  get hasRedacted(): boolean {
    return this.#redactor.hasRedacted
  }

  /** Why frames could not be written, if they could not. */
  get broken(): Error | null {
    return this.#broken
  }

  /** Reads to the end. @returns what went wrong on the way, or null for a clean close. */
  async read(answer: Pick<Answer, 'body'>, identify: (ids: Ids) => void): Promise<Problem | null> {
    const splitter = new Splitter()
    const limit = setTimeout(() => answer.body.destroy(new ProblemError(tooLong(this.#bounds.time))), this.#bounds.time)
    let problem: Problem | null = null
    try {
      await this.#follow(answer.body, (chunk) => {
        this.#accept(splitter.push(chunk), identify)
        if (this.#broken) throw this.#broken
        if (this.#bytes > this.#bounds.bytes) throw tooLarge(`${this.#bounds.bytes / 1024 / 1024} MiB`)
        if (this.#seq > this.#bounds.frames) throw tooLarge(`${this.#bounds.frames} frames`)
      })
    } catch (error) {
      answer.body.on('error', () => undefined).destroy()
      if (error instanceof BlockTooLarge) this.#accept(error.blocks, identify)
      problem = error instanceof BlockTooLarge ? ENDLESS : problemOf(error)
    } finally {
      clearTimeout(limit)
    }
    const tail = splitter.end()
    if (tail) this.#accept([tail], identify)
    await this.#written
    return this.#broken ? notKept(this.#kept) : problem
  }

  /**
   * Hands on what comes, all that came in one turn of the loop at once, and leaves nothing behind in a queue when the line breaks.
   * While too much waits for the database, of this run or of all, the body is not read on.
   */
  #follow(body: Answer['body'], take: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      let came: Buffer[] = []
      let size = 0
      const hand = () => {
        if (came.length === 0) return
        const chunk = came.length === 1 ? (came[0] as Buffer) : Buffer.concat(came)
        came = []
        size = 0
        take(chunk)
        const room = this.#unwritten > this.#bounds.unwritten ? this.#written : this.#writer.room()
        if (!room) return
        body.pause()
        void room.then(() => body.resume())
      }
      const handOr = (settle: () => void) => {
        try {
          hand()
          settle()
        } catch (error) {
          body.pause()
          reject(error as Error)
        }
      }
      body.once('end', () => handOr(resolve)).once('error', (error) => handOr(() => reject(error)))
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (came.push(chunk) === 1) queueMicrotask(() => handOr(() => undefined))
        if (size >= PIECE) handOr(() => undefined)
      })
    })
  }

  #accept(blocks: RawBlock[], identify: (ids: Ids) => void): void {
    if (blocks.length === 0) return
    const at = this.#elapsed()
    this.#run.untouched = false
    this.#firstFrame ??= at
    const clean = blocks.map(({ text, bytes, raw }) => {
      this.#bytes += bytes
      return this.#redactor.clean({ seq: ++this.#seq, at, bytes, block: text, ...(raw ? { raw } : {}) })
    })
    this.#hand(clean, identify)
  }

  /** Folds the frames and writes them down. */
  #hand(clean: CleanFrame[], identify: (ids: Ids) => void): void {
    for (const { event } of clean) {
      this.#observe(event)
      this.#run.state = this.#fold(event)
    }
    if (this.#firstToken === null && hasText(this.#run.state)) this.#firstToken = this.#elapsed()
    // First, so that no frame waits for what it names.
    this.#write(clean.map(({ frame }) => frame))
    const ids = idsOf(this.#run.state)
    const known = Object.values(ids).filter(Boolean).length
    if (known <= this.#identified) return
    this.#identified = known
    identify(ids)
  }

  #write(frames: NewFrame[]): void {
    const size = frames.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#unwritten += size
    const written = this.#broken ? Promise.reject(this.#broken) : this.#writer.write(this.#run.id, frames)
    this.#written = written.then(
      () => {
        this.#unwritten -= size
        this.#kept = frames.at(-1)?.seq ?? this.#kept
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
      frames: this.#kept,
      bytes: this.#bytes,
      first_frame_ms: this.#firstFrame,
      first_token_ms: this.#firstToken,
      duration_ms: this.#elapsed(),
      made: namesOf(this.#run.state),
      ...idsOf(this.#run.state),
      ...usageOf(this.#run.state),
    }
  }

  #elapsed = () => Math.round(performance.now() - this.#began)
}

const tooLarge = (limit: string) => new ProblemError({ kind: 'mismatch', message: `The stream is over ${limit}.` })

const ENDLESS: Problem = {
  kind: 'mismatch',
  message: `The platform sent over ${BLOCK_LIMIT / 1024 / 1024} MiB without ending the frame.`,
}

const tooLong = (time: number): Problem => ({
  kind: 'late',
  message: `The run lasted over ${time / 60_000} minutes.`,
})

const notKept = (kept: number): Problem => ({
  kind: 'fault',
  message: `The console’s database failed. The frames after ${kept} are not kept.`,
})
