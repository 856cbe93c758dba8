import type { Run } from '#contract/runs.ts'
import type { Problem } from '#contract/problem.ts'
import type { NewFrame } from './frames.ts'
import type { FoldState } from './outcome.ts'

/** Frames that are in the table, or the end: the run as its row has it, null when its row could not be written. */
export type Watcher = (event: { frames: NewFrame[] } | { end: Run | null }) => void

/** What the platform's first answer was: a stream that is read on, a whole reply (its text as it came), or no. */
export type Opening = { stream: true } | { text: string } | { problem: Problem }

/** A run that this server reads right now. It is watched by any number of browsers and needs none. */
export class LiveRun {
  readonly id: string
  readonly workspace_id: string
  readonly opened: Promise<Opening>
  /** Resolves when the row is whole, or has been given up; it never rejects. */
  readonly ended: Promise<void>
  state: FoldState
  /** True until the first frame was read: whoever attaches by then needs no look at the table. */
  untouched = true
  readonly #watchers = new Set<Watcher>()
  #over: { end: Run | null } | null = null
  #open: (opening: Opening) => void = () => undefined
  #end: () => void = () => undefined

  constructor(id: string, workspace_id: string, state: FoldState) {
    this.id = id
    this.workspace_id = workspace_id
    this.state = state
    this.opened = new Promise((resolve) => (this.#open = resolve))
    this.ended = new Promise((resolve) => (this.#end = resolve))
  }

  open(opening: Opening): void {
    this.#open(opening)
  }

  /** Frames that are in the table, in order. */
  publish(frames: NewFrame[]): void {
    for (const watcher of this.#watchers) watcher({ frames })
  }

  /** The row is whole now, or (null) it could not be written. */
  finish(end: Run | null): void {
    this.#over = { end }
    for (const watcher of this.#watchers) watcher(this.#over)
    this.#watchers.clear()
    this.#end()
  }

  /** Whoever comes after the end is told of it at once: a browser may join while the last word is written. */
  watch(watcher: Watcher): () => void {
    if (this.#over) {
      watcher(this.#over)
      return () => undefined
    }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}
