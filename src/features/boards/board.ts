import { type BoardPace, MAX_BOARD_CELLS, MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import { Id } from '#contract/endpoint.ts'
import { toFileEntries, type FileEntry } from '../runs/inputs/inputFiles.ts'
import type { FormValues } from '../runs/inputs/inputFields.ts'
import { toInputSet } from '../playground/inputsApp/inputSets.ts'

/** The request: question, inputs as typed, files. */
export interface BoardInput {
  query: string
  filled: FormValues
  files: FileEntry[]
}

/** A cell of a board. One with a `key` runs that app, and the server has its rounds. One without a key shows a finished run. */
export interface BoardCell {
  id: string
  key: string | null
  /** The cell's own request, which replaces the common one. */
  own: BoardInput | null
  /** The version on which its app runs; null or absent for the current one. */
  workflow_id?: string | null
  /** The finished run; empty for a cell with a key. */
  runs: string[]
}

/** A stored board. */
export interface Board {
  cells: BoardCell[]
  /** The cell with which the others are compared. */
  baseline: string | null
  asked: BoardInput
  /** Null for the person's default. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  repeat: number
  /** Whether a round waits for the one before it. */
  pace: BoardPace
}

export const emptyBoardInput: BoardInput = { query: '', filled: {}, files: [] }
export const emptyBoard: Board = {
  cells: [],
  baseline: null,
  asked: emptyBoardInput,
  user: null,
  response_mode: 'streaming',
  repeat: 1,
  pace: 'one_by_one',
}

/** Parses a stored board; unknown fields are dropped. */
export function parseBoard(value: unknown): Board {
  const { cells, baseline, asked, user, response_mode, repeat, pace } = toRecord(value)
  const cellIds = (Array.isArray(cells) ? cells : []).flatMap(parseCell)
  const ownCells = cellIds
    .filter(({ id }, index) => cellIds.findIndex((one) => one.id === id) === index)
    .slice(0, MAX_BOARD_CELLS)
  return {
    cells: ownCells,
    baseline: ownCells.find(({ id }) => id === baseline)?.id ?? ownCells[0]?.id ?? null,
    asked: parseBoardInput(asked),
    user: typeof user === 'string' ? user : null,
    response_mode: response_mode === 'blocking' ? 'blocking' : 'streaming',
    repeat: typeof repeat === 'number' ? clampRounds(repeat) : 1,
    pace: pace === 'at_once' ? 'at_once' : 'one_by_one',
  }
}

function parseCell(value: unknown): BoardCell[] {
  const { id, key, own: override, workflow_id, runs } = toRecord(value)
  if (typeof id !== 'string' || id === '') return []
  const known = (Array.isArray(runs) ? runs : []).filter((run): run is string => Id.safeParse(run).success)
  const app = typeof key === 'string' ? key : null
  if (app === null && known.length === 0) return []
  const own = override == null ? null : parseBoardInput(override)
  const pinned = typeof workflow_id === 'string' && workflow_id !== '' ? { workflow_id } : {}
  return [{ id, key: app, own, ...pinned, runs: app === null ? known.slice(0, MAX_BOARD_ROUNDS) : [] }]
}

function parseBoardInput(value: unknown): BoardInput {
  const { query, files } = toRecord(value)
  return {
    query: typeof query === 'string' ? query : '',
    filled: toInputSet(value).filled,
    files: Array.isArray(files) ? toFileEntries(files) : [],
  }
}

/** A number of rounds that a board has room for. */
export const clampRounds = (repeat: number): number => Math.min(MAX_BOARD_ROUNDS, Math.max(1, Math.floor(repeat) || 1))

/** The board with one cell changed. */
export const updateCell = (board: Board, id: string, change: Partial<BoardCell>): Board => ({
  ...board,
  cells: board.cells.map((cell) => (cell.id === id ? { ...cell, ...change } : cell)),
})

/** Adds a cell, which becomes the baseline if there is none; returns the same board if it is full. */
export function addCell(board: Board, cell: BoardCell): Board {
  if (board.cells.length >= MAX_BOARD_CELLS || board.cells.some(({ id }) => id === cell.id)) return board
  return { ...board, cells: [...board.cells, cell], baseline: board.baseline ?? cell.id }
}

/** What a cell has of its own where others are the same: a version, or a request. */
export type CellVariant = Partial<Pick<BoardCell, 'workflow_id' | 'own'>>

/** Adds a cell for each variant of a cell that is not on the board, up to its limit. */
export function spreadCell(board: Board, id: string, variants: readonly (CellVariant & { id: string })[]): Board {
  const cell = board.cells.find((one) => one.id === id)
  if (!cell) return board
  const toKey = ({ key, own, workflow_id }: BoardCell) => JSON.stringify([key, own, workflow_id ?? null])
  return variants.reduce((now, variant) => {
    const added: BoardCell = { ...cell, ...variant, runs: [] }
    return now.cells.some((one) => toKey(one) === toKey(added)) ? now : addCell(now, added)
  }, board)
}

/** Removes a cell; the first remaining one becomes the baseline. */
export function removeCell(board: Board, id: string): Board {
  const cells = board.cells.filter((cell) => cell.id !== id)
  return { ...board, cells, baseline: board.baseline === id ? (cells[0]?.id ?? null) : board.baseline }
}

/** The cells with the baseline before the others. */
export function sortCells({ cells, baseline }: Board): BoardCell[] {
  return [...cells].sort((one, two) => Number(two.id === baseline) - Number(one.id === baseline))
}

/** A, B, C: what a cell is called, by its place on the board, whichever is the baseline. */
export const getCellLetter = ({ cells }: Board, id: string): string =>
  String.fromCharCode(
    65 +
      Math.max(
        0,
        cells.findIndex((cell) => cell.id === id),
      ),
  )

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
