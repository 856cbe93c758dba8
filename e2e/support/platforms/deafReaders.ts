import type { ServerResponse } from 'node:http'
import { openStream } from './scriptedPlatform.ts'

const PING = 'event: ping\n\n'
/** Milliseconds after a reader has left in which a new one goes deaf. */
const DEAF_WINDOW_MS = 200

/**
 * The readers of one run as the released 1.16.1 serves them: one that comes just after another has left gets the snapshot, and
 * then nothing but pings, also after the end of the run.
 */
export class DeafReaders {
  readonly #readers = new Map<ServerResponse, { isDeaf: boolean }>()
  readonly #pingTimer = setInterval(() => this.#ping(), 1_000).unref()
  #leftAt = -Infinity
  /** How many readers went deaf. */
  deafCount = 0

  /** @param snapshot the blocks with which the stream begins */
  add(response: ServerResponse, snapshot: string[]): void {
    const isDeaf = performance.now() - this.#leftAt < DEAF_WINDOW_MS
    if (isDeaf) this.deafCount++
    this.#readers.set(response, { isDeaf })
    response.on('close', () => {
      this.#readers.delete(response)
      this.#leftAt = performance.now()
    })
    openStream(response)
    response.write(PING + snapshot.join(''))
  }

  /** Sends a block to all who hear. */
  write(block: string): void {
    for (const [response, { isDeaf }] of this.#readers) if (!isDeaf) response.write(block)
  }

  /** The run has ended: readers that hear are closed with its last block. */
  end(block: string): void {
    for (const [response, { isDeaf }] of this.#readers) if (!isDeaf) response.end(block)
  }

  /** The connections to all readers break off, and the platform notices at once. */
  breakOff(): void {
    for (const response of this.#readers.keys()) response.destroy()
    this.#leftAt = performance.now()
  }

  /** Everyone is deaf from now on. */
  deafen(): void {
    for (const reader of this.#readers.values()) reader.isDeaf = true
  }

  get size(): number {
    return this.#readers.size
  }

  close(): void {
    clearInterval(this.#pingTimer)
  }

  #ping(): void {
    for (const response of this.#readers.keys()) response.write(PING)
  }
}
