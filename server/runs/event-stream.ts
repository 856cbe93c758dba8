import type { Run } from '#contract/runs.ts'
import type { Line, Sink } from './attach.ts'

const HEARTBEAT = 15_000

/** A run as `text/event-stream`: each block as the platform sent it, followed by its number. */
export class EventStream implements Sink {
  readonly #raw: Line['raw']
  readonly #heartbeat: NodeJS.Timeout

  constructor(reply: Line, run_id: string) {
    this.#raw = reply.raw
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'run-id': run_id,
    })
    this.#raw.flushHeaders()
    this.#heartbeat = setInterval(() => this.#raw.write(': alive\n\n'), HEARTBEAT)
  }

  get waiting(): number {
    return this.#raw.writableLength
  }

  frames(frames: { seq: number; block: string }[]): void {
    let text = ''
    for (const { seq, block } of frames) text += `${block}\nid: ${seq}\n\n`
    // As bytes: of a string that waits for a slow browser Node holds three for each letter.
    this.#raw.write(Buffer.from(text))
  }

  /** A comment, which no fold ever sees. */
  live(): void {
    this.#raw.write(': live\n\n')
  }

  /** The one block without an id, so that a platform's own event of that name can never be taken for it. */
  end(run: Run): void {
    this.#raw.write(`event: loupe.run\ndata: ${JSON.stringify(run)}\n\n`)
  }

  leave(patience: number): void {
    clearInterval(this.#heartbeat)
    if (this.#raw.destroyed) return
    const leave = setTimeout(() => this.#raw.destroy(), patience)
    this.#raw.once('close', () => clearTimeout(leave))
    this.#raw.end()
  }

  drained(limit: number, patience: number): Promise<boolean> {
    const raw = this.#raw
    if (raw.writableLength <= limit) return Promise.resolve(true)
    return new Promise((resolve) => {
      const leave = setTimeout(() => raw.destroy(), patience)
      const settle = (drained: boolean) => {
        clearTimeout(leave)
        raw.off('drain', onDrain).off('close', onClose)
        resolve(drained)
      }
      const onDrain = () => settle(true)
      const onClose = () => settle(false)
      raw.once('drain', onDrain).once('close', onClose)
    })
  }
}
