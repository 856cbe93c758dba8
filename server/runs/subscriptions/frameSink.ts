import type { FastifyReply } from 'fastify'
import type { Run } from '#contract/console/runs.ts'

/** What a stream to a browser needs of a reply. */
export type StreamReply = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** Where the frames of one run go: to a browser, in whatever form. */
export interface FrameSink {
  /** Bytes that wait for the browser. */
  readonly queuedBytes: number
  frames(frames: { seq: number; block: string }[]): void
  /** The browser has all there is. */
  caughtUp(): void
  /** The run as its row has it: the last word. */
  end(run: Run): void
  /** No word more, and no end: the browser may come back. It has `timeoutMs` milliseconds to take what is under way. */
  detach(timeoutMs: number): void
  /** Resolves when no more than `limit` bytes wait; false when the browser takes nothing for `timeoutMs` milliseconds. */
  whenDrained(limit: number, timeoutMs: number): Promise<boolean>
}
