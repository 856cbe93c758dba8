import type { RunGap } from '#contract/console/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type EventFold, getEntryFold } from '#domain/stream/eventFolds.ts'
import { addCutMark } from '#domain/stream/cutEvent.ts'
import { addGapMark, setGapBefore } from '#domain/stream/streamGap.ts'
import { addFrameTime, NO_FRAME_TIMES, type StreamTimes } from '#domain/stream/streamTimes.ts'
import type { CallEnd } from '../../ledger/callRow.ts'
import { type UpstreamResponse, toTransportProblem } from '../../relay/upstream/upstream.ts'
import type { FrameWriter, NewFrame } from './frameWriter.ts'
import type { LiveRun } from '../liveRun.ts'
import { type FoldState, hasText, type RunIds, getRunIds, listRunIds, getUsage } from '../../ledger/runStatus.ts'
import type { RunOrder } from '../runOrder.ts'
import { type RawBlock, EventSplitter } from './eventSplitter.ts'
import { type CleanFrame, type CutEvent, StreamRedactor } from './streamRedactor.ts'

/** Limits of one run: stored bytes and frames, duration in ms, bytes that may wait for the database. */
export const STREAM_LIMITS = {
  maxBytes: 64 * 1024 * 1024,
  maxFrames: 200_000,
  timeoutMs: 60 * 60_000,
  maxUnwrittenBytes: 4 * 1024 * 1024,
}

/** 24.8 days, the maximum of the time columns; a paused run may last that long. */
const MAX_ELAPSED_MS = 2_147_483_647
/** Maximum bytes processed at once. */
const MAX_CHUNK_BYTES = 64 * 1024

/** Where a reader continues a run: its last frame, and the measurements so far. */
export interface StreamPosition {
  seq: number
  bytes: number
  /** Milliseconds since the run's request was sent. */
  elapsedMs: number
  times: StreamTimes
}

export interface StreamReadOptions {
  /** False for an event that repeats known information: it is neither stored nor folded. */
  isNews?: (event: unknown) => boolean
  /** True once a stream that stays open is no longer needed; it is closed then. */
  isDone?: () => boolean
  /** Ends the reading of a stream that stays open. */
  leaveSignal?: AbortSignal
}

/** Reads the streams of one run: splits them into frames, folds them, and publishes them once they are stored. */
export class StreamReader {
  readonly #eventFold: EventFold<FoldState>
  readonly #run: LiveRun
  readonly #writer: FrameWriter
  readonly #limits: typeof STREAM_LIMITS
  readonly #redactor: StreamRedactor
  readonly #observe: (event: unknown) => void
  readonly #startedAt: number
  #seq: number
  #writtenSeq: number
  #bytes: number
  #unwrittenBytes = 0
  #times: StreamTimes
  /** Number of ids seen so far; -1 before the first frame. */
  #knownIdCount = -1
  /** The stored part of an incomplete event over the limit. */
  #cut: CutEvent | null = null
  #pendingWrite: Promise<void> = Promise.resolve()
  #writeError: Error | null = null

  constructor(
    order: Pick<RunOrder, 'credential' | 'entry'>,
    run: LiveRun,
    writer: FrameWriter,
    observe: (event: unknown) => void,
    { limits = STREAM_LIMITS, position = START }: { limits?: typeof STREAM_LIMITS; position?: StreamPosition } = {},
  ) {
    this.#startedAt = performance.now() - position.elapsedMs
    this.#seq = position.seq
    this.#writtenSeq = position.seq
    this.#bytes = position.bytes
    this.#times = position.times
    this.#eventFold = getEntryFold(order.entry)
    this.#run = run
    this.#writer = writer
    this.#observe = observe
    this.#limits = limits
    this.#redactor = new StreamRedactor(order.credential.secret)
  }

  /** The release (`X-Version`) of the platform that answers the run. */
  platformVersion: string | null = null

  /** The missed parts of the run so far. */
  gaps: RunGap[] = []
  onGap: () => void = () => undefined

  /** True once a part of the key was found in the stream. */
  get hasRedacted(): boolean {
    return this.#redactor.hasRedacted
  }

  get writeError(): Error | null {
    return this.#writeError
  }

  get lastSeq(): number {
    return this.#seq
  }

  /** The time of the last frame, in milliseconds since the run's request was sent. */
  get lastFrameMs(): number {
    return this.#times.last_frame_ms ?? 0
  }

  /** Milliseconds since the run's request was sent. */
  get elapsedMs(): number {
    return this.#elapsedMs()
  }

  /** Reads one stream to its end. @returns the problem; null for a clean close */
  async read(
    answer: Pick<UpstreamResponse, 'body'>,
    identify: (ids: RunIds) => void,
    { isNews, isDone, leaveSignal }: StreamReadOptions = {},
  ): Promise<Problem | null> {
    const splitter = new EventSplitter((text) => {
      this.#cut = this.#redactor.cleanCut(text)
      return this.#cut.readRest
    })
    const onBlocks = (blocks: Iterable<RawBlock>) => this.#onBlocks(blocks, identify, isNews)
    const timer = setTimeout(
      () => answer.body.destroy(new ProblemError(toTooLongProblem(this.#limits.timeoutMs))),
      this.#limits.timeoutMs,
    )
    let problem: Problem | null = null
    try {
      await this.#readBody(answer.body, leaveSignal, (chunk) => {
        onBlocks(splitter.push(chunk))
        if (isDone?.()) answer.body.destroy(STREAM_DONE)
        if (this.#writeError) throw this.#writeError
        if (this.#bytes + splitter.pendingBytes > this.#limits.maxBytes)
          throw toTooLargeError(`${this.#limits.maxBytes / 1024 / 1024} MiB`)
        if (this.#seq > this.#limits.maxFrames) throw toTooLargeError(`${this.#limits.maxFrames} frames`)
      })
    } catch (error) {
      answer.body.on('error', () => undefined).destroy()
      if (error !== STREAM_DONE) problem = toTransportProblem(error)
    } finally {
      clearTimeout(timer)
    }
    const lastBlock = splitter.end()
    if (lastBlock) onBlocks([lastBlock])
    await this.#pendingWrite
    return this.#writeError ? toNotStoredProblem(this.#writtenSeq) : problem
  }

  /**
   * Yields the chunks of one event-loop turn together, and leaves nothing queued when the connection breaks. The body
   * is not read while too much waits for the database, for this run or for all.
   */
  #readBody(
    body: UpstreamResponse['body'],
    leaveSignal: AbortSignal | undefined,
    onChunk: (chunk: Buffer) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = []
      let size = 0
      const flush = () => {
        if (chunks.length === 0) return
        const chunk = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
        chunks = []
        size = 0
        onChunk(chunk)
        const backpressure =
          this.#unwrittenBytes > this.#limits.maxUnwrittenBytes ? this.#pendingWrite : this.#writer.capacity()
        if (!backpressure) return
        body.pause()
        void backpressure.then(() => body.resume())
      }
      const flushOr = (finish: () => void) => {
        try {
          flush()
          finish()
        } catch (error) {
          body.pause()
          reject(error as Error)
        }
      }
      body.once('end', () => flushOr(resolve)).once('error', (error) => flushOr(() => reject(error)))
      leaveSignal?.addEventListener('abort', () => {
        flushOr(resolve)
        body.removeAllListeners('data').resume()
      })
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (chunks.push(chunk) === 1) queueMicrotask(() => flushOr(() => undefined))
        if (size >= MAX_CHUNK_BYTES) flushOr(() => undefined)
      })
    })
  }

  #onBlocks(blocks: Iterable<RawBlock>, identify: (ids: RunIds) => void, isNews: StreamReadOptions['isNews']): void {
    const at = this.#elapsedMs()
    const frames: CleanFrame[] = []
    for (const block of blocks) {
      const clean = this.#toCleanFrame(block, at)
      if (isNews && !isNews(clean.event)) continue
      const gap = this.gaps.at(-1)
      if (gap?.after_frame === this.#seq) {
        clean.frame.block = addGapMark(clean.frame.block, gap)
        setGapBefore(clean.event, gap)
      }
      this.#seq++
      this.#bytes += block.bytes
      frames.push(clean)
    }
    if (frames.length === 0) return
    this.#run.hasNoFrames = false
    this.#foldAndWrite(frames, identify)
  }

  #toCleanFrame({ text, bytes, raw, stored }: RawBlock, at: number): CleanFrame {
    const frame = { seq: this.#seq + 1, at, bytes, block: text, ...(raw ? { raw } : {}) }
    const cut = this.#cut
    if (stored === undefined || !cut) return this.#redactor.clean(frame)
    this.#cut = null
    const block = addCutMark(cut.block, { stored, size: bytes })
    return { frame: { ...frame, block, raw: block === text ? raw : undefined }, event: cut.event }
  }

  #foldAndWrite(clean: CleanFrame[], identify: (ids: RunIds) => void): void {
    for (const { event, frame } of clean) {
      this.#observe(event)
      this.#run.state = this.#fold(event)
      this.#times = addFrameTime(this.#times, frame.at, hasText(this.#run.state))
    }
    this.#write(clean.map(({ frame }) => frame))
    const ids = getRunIds(this.#run.state)
    const knownIdCount = Object.values(ids).filter(Boolean).length
    if (knownIdCount <= this.#knownIdCount) return
    this.#knownIdCount = knownIdCount
    identify(ids)
  }

  #write(frames: NewFrame[]): void {
    const size = frames.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#unwrittenBytes += size
    const written = this.#writeError ? Promise.reject(this.#writeError) : this.#writer.write(this.#run.id, frames)
    this.#pendingWrite = written.then(
      () => {
        this.#unwrittenBytes -= size
        this.#writtenSeq = frames.at(-1)?.seq ?? this.#writtenSeq
        this.#run.publish(frames)
      },
      (error: Error) => {
        this.#writeError ??= error
      },
    )
  }

  /** Folds a reply that was not streamed. */
  foldReply(reply: unknown, bytes: number): FoldState {
    this.#bytes = bytes
    return this.#fold(reply)
  }

  #fold = (event: unknown): FoldState =>
    event === undefined ? this.#run.state : this.#eventFold.fold(this.#run.state, event)

  toCallEnd(status: CallEnd['status'], problem: Problem | null): CallEnd {
    return {
      status,
      problem,
      answer: this.#run.state,
      frames: this.#writtenSeq,
      bytes: this.#bytes,
      ...this.#times,
      duration_ms: this.#elapsedMs(),
      resource_ids: listRunIds(this.#run.state),
      ...getRunIds(this.#run.state),
      ...getUsage(this.#run.state),
      platform_version: this.platformVersion,
      gaps: this.gaps,
    }
  }

  #elapsedMs = () => Math.min(MAX_ELAPSED_MS, Math.round(performance.now() - this.#startedAt))
}

const START: StreamPosition = { seq: 0, bytes: 0, elapsedMs: 0, times: NO_FRAME_TIMES }

/** Closes a stream that is no longer needed. */
const STREAM_DONE = new Error('The stream is done.')

const toTooLargeError = (limit: string) =>
  new ProblemError({ kind: 'mismatch', message: `Loupe ended the run: its stream exceeds ${limit}.` })

const toTooLongProblem = (time: number): Problem => ({
  kind: 'late',
  message: `Loupe ended the run: it took more than ${time / 60_000} minutes.`,
})

const toNotStoredProblem = (kept: number): Problem => ({
  kind: 'fault',
  message: `The database failed. The frames after ${kept} are not stored.`,
})
