import type { Run } from '#contract/console/runs.ts'
import type { FrameSink, SentFrame, StreamReply } from './frameSink.ts'

const HEARTBEAT_MS = 15_000

/** A run as `text/event-stream`: each block as the platform sent it, followed by its number. */
export class EventStreamSink implements FrameSink {
  readonly #raw: StreamReply['raw']
  readonly #heartbeat: NodeJS.Timeout

  constructor(reply: StreamReply, run_id: string) {
    this.#raw = reply.raw
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'run-id': run_id,
    })
    this.#raw.flushHeaders()
    this.#heartbeat = setInterval(() => this.#raw.write(': alive\n\n'), HEARTBEAT_MS)
  }

  get queuedBytes(): number {
    return this.#raw.writableLength
  }

  frames(frames: SentFrame[]): void {
    let text = ''
    for (const { seq, block } of frames) text += `${block}\nid: ${seq}\n\n`
    // As bytes: Node queues a string for a slow browser with three bytes per character.
    this.#raw.write(Buffer.from(text))
  }

  /** A comment, which no fold reads. */
  caughtUp(): void {
    this.#raw.write(': live\n\n')
  }

  /** The only block without an id, so that a platform's own event of that name is never mistaken for it. */
  end(run: Run): void {
    this.#raw.write(`event: loupe.run\ndata: ${JSON.stringify(run)}\n\n`)
  }

  detach(timeoutMs: number): void {
    clearInterval(this.#heartbeat)
    if (this.#raw.destroyed) return
    const timer = setTimeout(() => this.#raw.destroy(), timeoutMs)
    this.#raw.once('close', () => clearTimeout(timer))
    this.#raw.end()
  }

  whenDrained(limit: number, timeoutMs: number): Promise<boolean> {
    const raw = this.#raw
    if (raw.writableLength <= limit) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => raw.destroy(), timeoutMs)
      const finish = (drained: boolean) => {
        clearTimeout(timer)
        raw.off('drain', onDrain).off('close', onClose)
        resolve(drained)
      }
      const onDrain = () => finish(true)
      const onClose = () => finish(false)
      raw.once('drain', onDrain).once('close', onClose)
    })
  }
}
