import { type Problem, ProblemError } from '#contract/problem.ts'
import { Listeners } from '#domain/listeners.ts'
import type { Board } from './board.ts'

/**
 * A change that is applied more than once, to the local board and to the server's board, also where the server has it
 * already: create new ids outside of it, and add nothing twice.
 */
export type BoardChange = (board: Board) => Board

/** The board on the server, and when it was changed last. */
export interface StoredBoard {
  board: Board
  updated_at: string
}

export interface BoardSyncDeps {
  read: () => Promise<StoredBoard>
  /** @throws ProblemError with status 409 where somebody has changed the board after `updated_at`. */
  write: (changed: StoredBoard) => Promise<void>
  /** Milliseconds after the last change before it is written. */
  delayMs: number
}

export interface BoardSyncState {
  /** Not written yet, oldest first. */
  pending: readonly BoardChange[]
  problem: Problem | null
}

/** How often the changes are applied to a newer board before the conflict is shown. */
const MAX_CONFLICTS = 10

/**
 * The pending changes of a board. Each is applied again to the server's current board, and written only while that is the
 * current one, so that two people, or two tabs, do not overwrite each other's cells and rounds.
 */
export class BoardSync {
  readonly #deps: BoardSyncDeps
  readonly #listeners = new Listeners()
  #view: BoardSyncState = { pending: [], problem: null }
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<boolean> = Promise.resolve(true)

  constructor(deps: BoardSyncDeps) {
    this.#deps = deps
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
        await this.#apply(taken)
        this.#setState({ pending: this.#view.pending.slice(taken.length), problem: null })
      }
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#setState({ problem: error.problem })
      return false
    }
  }

  async #apply(changes: readonly BoardChange[]): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      const { board, updated_at } = await this.#deps.read()
      try {
        await this.#deps.write({ board: changes.reduce((made, change) => change(made), board), updated_at })
        return
      } catch (error) {
        const isConflict = error instanceof ProblemError && error.problem.status === 409
        if (!isConflict || conflicts >= MAX_CONFLICTS) throw error
      }
    }
  }

  #setState(change: Partial<BoardSyncState>): void {
    this.#view = { ...this.#view, ...change }
    this.#listeners.notify()
  }
}
