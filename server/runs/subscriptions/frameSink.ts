import type { FastifyReply } from 'fastify'
import type { Frame, Run } from '#contract/console/runs.ts'

/** The parts of a reply that a stream to a browser needs. */
export type StreamReply = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** A frame as sent to browsers: `at` in ms since the request was sent. */
export type SentFrame = Pick<Frame, 'seq' | 'at' | 'block'>

/** The destination of a run's frames: a browser, over any transport. */
export interface FrameSink {
  readonly queuedBytes: number
  frames(frames: SentFrame[]): void
  /** All stored frames have been sent. */
  caughtUp(): void
  /** The server that reads the run has become silent, or responds again. */
  serverSilent(isSilent: boolean): void
  end(run: Run): void
  /**
   * Closes without an end message, so the browser may reconnect. It has `timeoutMs` milliseconds to receive the
   * queue.
   */
  detach(timeoutMs: number): void
  /** Resolves when at most `limit` bytes are queued; false when the browser reads nothing for `timeoutMs` milliseconds. */
  whenDrained(limit: number, timeoutMs: number): Promise<boolean>
}
