import type { FastifyReply } from 'fastify'
import type { Run } from '#contract/console/runs.ts'

/** The part of a reply that a stream to a browser needs. */
export type StreamReply = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** The destination of a run's frames: a browser, in any transport. */
export interface FrameSink {
  /** Bytes queued for the browser. */
  readonly queuedBytes: number
  frames(frames: { seq: number; block: string }[]): void
  /** The browser has received all stored frames. */
  caughtUp(): void
  /** The final row of the run, as the last message. */
  end(run: Run): void
  /**
   * Closes without an end message, so the browser may reconnect. It has `timeoutMs` milliseconds to receive what is queued.
   */
  detach(timeoutMs: number): void
  /** Resolves when at most `limit` bytes are queued; false when the browser reads nothing for `timeoutMs` milliseconds. */
  whenDrained(limit: number, timeoutMs: number): Promise<boolean>
}
