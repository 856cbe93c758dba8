import { type Problem, ProblemError } from '#contract/problem.ts'
import { Listeners } from '#domain/listeners.ts'
import type { Board } from './board.ts'

/**
 * A change that is applied more than once, to the local board and to the server's board: create new ids outside of
 * it.
 */
export type BoardChange = (board: Board) => Board

export interface BoardSyncDeps {
  read: () => Promise<Board>
  write: (board: Board) => Promise<void>
  /** Milliseconds after the last change before it is written. */
  delayMs: number
}

export interface BoardSyncState {
  /** Not written yet, oldest first. */
  pending: readonly BoardChange[]
  problem: Problem | null
}

/**
 * The pending changes of a board. Each is applied again to the server's current board, so that two people, or two
 * tabs, do not overwrite each other's cells and rounds.
 */
export class BoardSync {
  readonly #deps: BoardSyncDeps
  readonly #listeners = new Listeners()
  #view: BoardSyncState = { pending: [], problem: null }
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<boolean> = Promise.resolve(true)

  constructor(conditions: BoardSyncDeps) {
    this.#deps = conditions
  }

  readonly subscribe = this.#listeners.subscribe

  readonly view = (): BoardSyncState => this.#view

  add(change: BoardChange): void {
    this.#setState({ pending: [...this.#view.pending, change] })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), this.#deps.delayMs)
  }

  /** Saves the pending changes; false if that failed, and then they stay pending. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    const write = () => this.#write()
    this.#writing = this.#writing.then(write, write)
    return this.#writing
  }

  async #write(): Promise<boolean> {
    try {
      for (let taken = this.#view.pending; taken.length > 0; taken = this.#view.pending) {
        const board = taken.reduce((made, change) => change(made), await this.#deps.read())
        await this.#deps.write(board)
        this.#setState({ pending: this.#view.pending.slice(taken.length), problem: null })
      }
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#setState({ problem: error.problem })
      return false
    }
  }

  #setState(change: Partial<BoardSyncState>): void {
    this.#view = { ...this.#view, ...change }
    this.#listeners.notify()
  }
}
