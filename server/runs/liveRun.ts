import type { Run } from '#contract/console/runs.ts'
import type { Problem } from '#contract/problem.ts'
import type { NewFrame } from './streaming/frameWriter.ts'
import type { FoldState } from '../ledger/runStatus.ts'

/** Stored frames, or the end: the stored run, null when its row could not be written. */
export type RunListener = (event: { frames: NewFrame[] } | { end: Run | null }) => void

/** How the platform responded: stream, complete body (its raw text) or error. */
export type FirstReply = { stream: true } | { text: string } | { problem: Problem }

/** A run that this server is reading, with any number of subscribed browsers, or none. */
export class LiveRun {
  readonly id: string
  readonly workspace_id: string
  readonly firstReply: Promise<FirstReply>
  /** Resolves when the row is complete or could not be written; never rejects. */
  readonly ended: Promise<void>
  state: FoldState
  /** True until the first frame was read: earlier subscribers need no query of the table. */
  hasNoFrames = true
  readonly #abandonController = new AbortController()
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

  /** Aborted once another server has taken over the run. */
  get abandoned(): AbortSignal {
    return this.#abandonController.signal
  }

  /** Another server reads the run: nothing more is read or written here. */
  abandon(): void {
    this.#abandonController.abort(new Error('Another server has taken over this run.'))
  }

  publish(frames: NewFrame[]): void {
    for (const listener of this.#listeners) listener({ frames })
  }

  finish(end: Run | null): void {
    this.#endEvent = { end }
    for (const listener of this.#listeners) listener(this.#endEvent)
    this.#listeners.clear()
    this.#resolveEnded()
  }

  /** A late subscriber gets the end at once: it may subscribe while the end is being stored. */
  subscribe(listener: RunListener): () => void {
    if (this.#endEvent) {
      listener(this.#endEvent)
      return () => undefined
    }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
