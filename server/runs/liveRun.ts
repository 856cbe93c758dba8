import type { Run } from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import type { NewFrame } from './streaming/frameWriter.ts'
import type { FoldState } from '../ledger/runStatus.ts'

/** Frames that are in the table, or the end: the run as its row has it, null when its row could not be written. */
export type RunListener = (event: { frames: NewFrame[] } | { end: Run | null }) => void

/** What the platform's first answer was: a stream that is read on, a whole reply (its text as it came), or no. */
export type FirstReply = { stream: true } | { text: string } | { problem: Problem }

/** A run that this server reads right now. It is watched by any number of browsers and needs none. */
export class LiveRun {
  readonly id: string
  readonly workspace_id: string
  readonly firstReply: Promise<FirstReply>
  /** Resolves when the row is whole, or has been given up; it never rejects. */
  readonly ended: Promise<void>
  state: FoldState
  /** True until the first frame was read: whoever attaches by then needs no look at the table. */
  hasNoFrames = true
  readonly #listeners = new Set<RunListener>()
  #endEvent: { end: Run | null } | null = null
  #setFirstReply: (firstReply: FirstReply) => void = () => undefined
  #resolveEnded: () => void = () => undefined

  constructor(id: string, workspace_id: string, state: FoldState) {
    this.id = id
    this.workspace_id = workspace_id
    this.state = state
    this.firstReply = new Promise((resolve) => (this.#setFirstReply = resolve))
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve))
  }

  setFirstReply(firstReply: FirstReply): void {
    this.#setFirstReply(firstReply)
  }

  /** Frames that are in the table, in order. */
  publish(frames: NewFrame[]): void {
    for (const listener of this.#listeners) listener({ frames })
  }

  /** The row is whole now, or (null) it could not be written. */
  finish(end: Run | null): void {
    this.#endEvent = { end }
    for (const listener of this.#listeners) listener(this.#endEvent)
    this.#listeners.clear()
    this.#resolveEnded()
  }

  /** Whoever comes after the end is told of it at once: a browser may join while the last word is written. */
  subscribe(listener: RunListener): () => void {
    if (this.#endEvent) {
      listener(this.#endEvent)
      return () => undefined
    }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
