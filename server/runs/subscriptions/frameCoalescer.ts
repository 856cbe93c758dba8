import type { LiveMessage } from '#contract/console/liveMessages.ts'
import type { SentFrame } from './frameSink.ts'

type FrameTuples = Extract<LiveMessage, { frames: unknown }>['frames']

/** Milliseconds between two messages with frames: a page does not paint more often, and each message costs it a task. */
const FRAME_MS = 16

/**
 * Coalesces the frames of a page's connection. A frame is sent immediately when none was sent within the interval; frames
 * that arrive sooner are collected and sent together. Other messages are sent immediately, after the frames before them.
 */
export class FrameCoalescer {
  readonly #sendMessage: (message: LiveMessage) => void
  readonly #pending = new Map<string, FrameTuples>()
  #pendingChars = 0
  #timer: NodeJS.Timeout | undefined

  constructor(sendMessage: (message: LiveMessage) => void) {
    this.#sendMessage = sendMessage
  }

  /** Number of collected characters. */
  get pendingChars(): number {
    return this.#pendingChars
  }

  send(message: LiveMessage): void {
    this.#flush()
    this.#sendMessage(message)
  }

  addFrames(run: string, frames: SentFrame[]): void {
    const pending = this.#pending.get(run) ?? []
    this.#pending.set(run, pending)
    for (const { seq, block, at } of frames) {
      pending.push([seq, block, at])
      this.#pendingChars += block.length
    }
    if (this.#timer) return
    this.#flush()
    this.#timer = setTimeout(() => this.#onTimer(), FRAME_MS)
  }

  /** The page has unsubscribed from a run. */
  dropRun(run: string): void {
    for (const [, block] of this.#pending.get(run) ?? []) this.#pendingChars -= block.length
    this.#pending.delete(run)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#pending.clear()
    this.#pendingChars = 0
  }

  #onTimer(): void {
    this.#timer = this.#pending.size > 0 ? setTimeout(() => this.#onTimer(), FRAME_MS) : undefined
    this.#flush()
  }

  #flush(): void {
    for (const [run, frames] of this.#pending) this.#sendMessage({ run, frames })
    this.#pending.clear()
    this.#pendingChars = 0
  }
}
