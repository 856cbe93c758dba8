import type { Run } from '#contract/console/runs.ts'
import { EventStreamResponse } from './eventStreamResponse.ts'
import type { FrameSink, SentFrame, StreamReply } from './frameSink.ts'

const HEARTBEAT_MS = 15_000

/** A run as `text/event-stream`: each block as received from the platform, followed by its number. */
export class EventStreamSink implements FrameSink {
  readonly #response: EventStreamResponse

  constructor(reply: StreamReply, run_id: string) {
    this.#response = new EventStreamResponse(
      reply,
      { text: ': alive\n\n', intervalMs: HEARTBEAT_MS },
      { 'run-id': run_id },
    )
  }

  get queuedBytes(): number {
    return this.#response.queuedBytes
  }

  frames(frames: SentFrame[]): void {
    let text = ''
    for (const { seq, block } of frames) text += `${block}\nid: ${seq}\n\n`
    this.#response.write(text)
  }

  /** A comment, which no fold reads. */
  caughtUp(): void {
    this.#response.write(': live\n\n')
  }

  serverSilent(isSilent: boolean): void {
    this.#response.write(isSilent ? ': server not responding\n\n' : ': live\n\n')
  }

  /** The only block without an id, so that a platform's own event of that name is never mistaken for it. */
  end(run: Run): void {
    this.#response.write(`event: loupe.run\ndata: ${JSON.stringify(run)}\n\n`)
  }

  detach(timeoutMs: number): void {
    this.#response.end(timeoutMs)
  }

  whenDrained(limit: number, timeoutMs: number): Promise<boolean> {
    return this.#response.whenDrained(limit, timeoutMs)
  }
}
