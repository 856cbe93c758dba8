import { Id } from '#contract/endpoint.ts'
import { entriesOf, type FileEntry } from '../../run/files.ts'
import type { Filled } from '../../run/inputs.ts'
import { setOf } from '../../run/playground/sets.ts'

/** So many cells and rounds a board has at most. */
export const MOST_CELLS = 6
export const MOST_ROUNDS = 10

/** What is asked: the question, the inputs as they were typed, the files beside them. */
export interface Asked {
  query: string
  filled: Filled
  files: FileEntry[]
}

/**
 * A place on a board. One with a `key` asks that app, round by round; `runs` are the ids of the rounds, made before
 * anything is sent, so that no run is ever lost to the board. One without a key holds a finished run.
 */
export interface Cell {
  id: string
  key: string | null
  /** What this cell is asked in place of what all are asked. */
  own: Asked | null
  runs: string[]
}

/** A board of comparisons as it is kept. */
export interface Board {
  cells: Cell[]
  /** The cell that the others are held against. */
  baseline: string | null
  asked: Asked
  /** Null while the person's default stands. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  repeat: number
  /** Whether a round waits for the one before it. */
  pace: 'one_by_one' | 'at_once'
}

export const noAsked: Asked = { query: '', filled: {}, files: [] }
export const noBoard: Board = {
  cells: [],
  baseline: null,
  asked: noAsked,
  user: null,
  response_mode: 'streaming',
  repeat: 1,
  pace: 'one_by_one',
}

/** A kept value as a board; what is none of it is left out. */
export function boardOf(value: unknown): Board {
  const { cells, baseline, asked, user, response_mode, repeat, pace } = recordOf(value)
  const known = (Array.isArray(cells) ? cells : []).flatMap(cellOf)
  const own = known.filter(({ id }, index) => known.findIndex((one) => one.id === id) === index).slice(0, MOST_CELLS)
  return {
    cells: own,
    baseline: own.find(({ id }) => id === baseline)?.id ?? own[0]?.id ?? null,
    asked: askedOf(asked),
    user: typeof user === 'string' ? user : null,
    response_mode: response_mode === 'blocking' ? 'blocking' : 'streaming',
    repeat: typeof repeat === 'number' ? within(repeat) : 1,
    pace: pace === 'at_once' ? 'at_once' : 'one_by_one',
  }
}

function cellOf(value: unknown): Cell[] {
  const { id, key, own, runs } = recordOf(value)
  if (typeof id !== 'string' || id === '') return []
  const known = (Array.isArray(runs) ? runs : []).filter((run): run is string => Id.safeParse(run).success)
  const app = typeof key === 'string' ? key : null
  if (app === null && known.length === 0) return []
  return [{ id, key: app, own: own == null ? null : askedOf(own), runs: known.slice(0, MOST_ROUNDS) }]
}

function askedOf(value: unknown): Asked {
  const { query, files } = recordOf(value)
  return {
    query: typeof query === 'string' ? query : '',
    filled: setOf(value).filled,
    files: Array.isArray(files) ? entriesOf(files) : [],
  }
}

/** A number of rounds that a board has room for. */
export const within = (repeat: number): number => Math.min(MOST_ROUNDS, Math.max(1, Math.floor(repeat) || 1))

/** The board with one cell changed. */
export const withCell = (board: Board, id: string, change: Partial<Cell>): Board => ({
  ...board,
  cells: board.cells.map((cell) => (cell.id === id ? { ...cell, ...change } : cell)),
})

/** The board with one cell more, which becomes the baseline where there is none; the same board where it is full. */
export function plusCell(board: Board, cell: Cell): Board {
  if (board.cells.length >= MOST_CELLS || board.cells.some(({ id }) => id === cell.id)) return board
  return { ...board, cells: [...board.cells, cell], baseline: board.baseline ?? cell.id }
}

/** The board without a cell; the first one that is left takes the baseline over. */
export function minusCell(board: Board, id: string): Board {
  const cells = board.cells.filter((cell) => cell.id !== id)
  return { ...board, cells, baseline: board.baseline === id ? (cells[0]?.id ?? null) : board.baseline }
}

/** The cells with the baseline before the others. */
export function inOrder({ cells, baseline }: Board): Cell[] {
  return [...cells].sort((one, two) => Number(two.id === baseline) - Number(one.id === baseline))
}

/** A, B, C: what a cell is called, by its place on the board, whichever is the baseline. */
export const letterOf = ({ cells }: Board, id: string): string =>
  String.fromCharCode(
    65 +
      Math.max(
        0,
        cells.findIndex((cell) => cell.id === id),
      ),
  )

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
