import type { FastifyReply } from 'fastify'
import type { Frame, Run } from '#contract/console/runs.ts'

/** The part of a reply that a stream to a browser needs. */
export type StreamReply = Pick<FastifyReply, 'hijack' | 'getHeaders' | 'raw'>

/** A frame as it is sent to browsers: `at` in ms since the request went out. */
export type SentFrame = Pick<Frame, 'seq' | 'at' | 'block'>

/** The destination of a run's frames: a browser, in any transport. */
export interface FrameSink {
  /** Bytes queued for the browser. */
  readonly queuedBytes: number
  frames(frames: SentFrame[]): void
  /** The browser has received all stored frames. */
  caughtUp(): void
  /** The server that reads the run is silent, or is heard again. */
  serverSilent(isSilent: boolean): void
  /** The final row of the run, as the last message. */
  end(run: Run): void
  /**
   * Closes without an end message, so the browser may reconnect. It has `timeoutMs` milliseconds to receive what is queued.
   */
  detach(timeoutMs: number): void
  /** Resolves when at most `limit` bytes are queued; false when the browser reads nothing for `timeoutMs` milliseconds. */
  whenDrained(limit: number, timeoutMs: number): Promise<boolean>
}
