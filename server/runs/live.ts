import type { Run } from '#contract/console.ts'
import type { Problem } from '#contract/problem.ts'
import type { NewFrame } from './frames.ts'
import type { FoldState } from './outcome.ts'

export type Watcher = (event: { frames: NewFrame[] } | { end: Run }) => void

/** What the platform's first answer was: a stream that is read on, a whole reply, or no. */
export type Opening = { stream: true } | { reply: unknown } | { problem: Problem }

/** A run that this server reads right now. It is watched by any number of browsers and needs none. */
export class LiveRun {
  readonly id: string
  readonly workspace_id: string
  readonly opened: Promise<Opening>
  readonly ended: Promise<void>
  state: FoldState
  /** True until the first frame was read: whoever attaches by then needs no look at the table. */
  untouched = true
  readonly #watchers = new Set<Watcher>()
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

  /** The row is whole now. */
  finish(run: Run): void {
    for (const watcher of this.#watchers) watcher({ end: run })
    this.#watchers.clear()
    this.#end()
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}
