import type { LiveMessage } from '#contract/live.ts'

type Frames = [seq: number, block: string][]

/** Milliseconds between two messages with frames: a page draws no more pictures than that, and each message costs it a task. */
const PICTURE = 16

/**
 * What goes out on a page's line. A frame goes at once when none has gone for a picture's time; the ones that come sooner are
 * gathered, and go together. All else goes at once, behind the frames before it.
 */
export class Outbox {
  readonly #send: (message: LiveMessage) => void
  readonly #gathered = new Map<string, Frames>()
  #letters = 0
  #timer: NodeJS.Timeout | undefined

  constructor(send: (message: LiveMessage) => void) {
    this.#send = send
  }

  /** Letters that are gathered. */
  get waiting(): number {
    return this.#letters
  }

  say(message: LiveMessage): void {
    this.#flush()
    this.#send(message)
  }

  frames(run: string, frames: { seq: number; block: string }[]): void {
    const gathered = this.#gathered.get(run) ?? []
    this.#gathered.set(run, gathered)
    for (const { seq, block } of frames) {
      gathered.push([seq, block])
      this.#letters += block.length
    }
    if (this.#timer) return
    this.#flush()
    this.#timer = setTimeout(() => this.#next(), PICTURE)
  }

  /** The page has let go of a run. */
  drop(run: string): void {
    for (const [, block] of this.#gathered.get(run) ?? []) this.#letters -= block.length
    this.#gathered.delete(run)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#gathered.clear()
    this.#letters = 0
  }

  #next(): void {
    this.#timer = this.#gathered.size > 0 ? setTimeout(() => this.#next(), PICTURE) : undefined
    this.#flush()
  }

  #flush(): void {
    for (const [run, frames] of this.#gathered) this.#send({ run, frames })
    this.#gathered.clear()
    this.#letters = 0
  }
}
