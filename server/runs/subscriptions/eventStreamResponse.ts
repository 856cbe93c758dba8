import type { StreamReply } from './frameSink.ts'

/** A response of type `text/event-stream`: its headers, heartbeat and back pressure. */
export class EventStreamResponse {
  readonly #raw: StreamReply['raw']
  readonly #heartbeat: NodeJS.Timeout

  /** `heartbeat.text` is sent every `heartbeat.intervalMs` milliseconds, so that no proxy closes a silent stream. */
  constructor(
    reply: StreamReply,
    heartbeat: { text: string; intervalMs: number },
    headers: Record<string, string> = {},
  ) {
    this.#raw = reply.raw
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    })
    this.#raw.flushHeaders()
    this.#heartbeat = setInterval(() => this.write(heartbeat.text), heartbeat.intervalMs)
    this.#raw.once('close', () => clearInterval(this.#heartbeat))
  }

  get isOpen(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  get queuedBytes(): number {
    return this.#raw.writableLength
  }

  write(text: string): void {
    // As bytes: Node queues a string for a slow browser with three bytes per character.
    if (this.isOpen) this.#raw.write(Buffer.from(text))
  }

  /** Ends the response. The browser has `timeoutMs` milliseconds to receive the queue. */
  end(timeoutMs: number): void {
    clearInterval(this.#heartbeat)
    if (this.#raw.destroyed) return
    const timer = setTimeout(() => this.#raw.destroy(), timeoutMs)
    this.#raw.once('close', () => clearTimeout(timer))
    this.#raw.end()
  }

  destroy(): void {
    this.#raw.destroy()
  }

  /** Resolves when at most `limit` bytes are queued; false when the browser reads nothing for `timeoutMs` milliseconds. */
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
