import { useMemo } from 'react'
import type { Problem } from '#contract/problem.ts'
import type { BoardRound, BoardRounds } from '#contract/console/boards.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Workspace, Key } from '#contract/console/workspaces.ts'
import { type Turn, toTurn } from '../../runs/turn.ts'
import { useReads } from '../../../client/parallelReads.ts'
import { runStore } from '../../../client/useRun.ts'
import { useRunRows } from '../../../client/useRunRows.ts'
import { findApp } from '../appOptions.ts'
import type { Board, BoardCell } from '../board.ts'
import { getRunEntry, toAppForm, type AppForm } from '../request/cellRequest.ts'

/** A round of a cell: a row of the server's with its run, or a finished run that the cell shows. */
export interface Round {
  /** The number of its row; 0 for a finished run. */
  number: number
  /** Its run; null before it was sent. */
  run_id: string | null
  row: Run | null
  problem: Problem | null
  /** The server has still to send it. */
  isWaiting: boolean
  /** It was not sent, and waits for a person. */
  isLost: boolean
  isRunning: boolean
  /** The reader may not use its key. */
  isHidden: boolean
  /** The server knows what it asks. */
  hasRequest: boolean
}

/** A cell with all that is known of it. */
export interface CellState {
  cell: BoardCell
  app: CellApp | null
  entry: Run['entry']
  rounds: Round[]
  /** Those that are over. */
  turns: Turn[]
}

/** The cells of a board with their apps and their rounds. */
export function useCells(
  board: Board,
  boardRounds: BoardRounds | undefined,
  workspaces: readonly Workspace[],
): CellState[] {
  const { cells } = board
  const cellApps = useMemo(() => cells.map(({ key }) => findApp(workspaces, key)), [cells, workspaces])
  const keys = useMemo(() => [...new Set(cellApps.flatMap((cellApp) => (cellApp ? [cellApp.key.id] : [])))], [cellApps])
  const parameters = useReads(
    appParameterEndpoints.parameters,
    keys.map((key) => ({ key })),
  )
  const ids = useMemo(() => {
    const sent = boardRounds?.rounds.flatMap(({ run }) => run ?? []) ?? []
    return [...new Set([...cells.flatMap((cell) => cell.runs), ...sent])]
  }, [cells, boardRounds])
  const rows = useRunRows(ids)
  const turns = useMemo(
    () => new Map(ids.map((id, index) => [id, rows[index]?.data ? toFinishedTurn(rows[index].data) : null])),
    [ids, rows],
  )
  return useMemo(() => {
    const isSending = boardRounds?.state === 'running'
    const toRound = (round: BoardRound): Round => {
      const { run: run_id, state } = round
      const { data: row = null, problem = null } = (run_id === null ? undefined : rows[ids.indexOf(run_id)]) ?? {}
      const phase = run_id === null ? undefined : runStore.view(run_id)?.phase
      const isActive = row ? isActiveStatus(row.status) : state === 'running'
      return {
        number: round.number,
        run_id,
        row,
        problem: problem ?? (run_id === null ? round.problem : null),
        isWaiting: state === 'waiting' && isSending,
        isLost: state === 'waiting' && !isSending,
        isRunning: phase === 'watching' || (phase === undefined && isActive),
        isHidden: !round.is_visible,
        hasRequest: round.has_request,
      }
    }
    return cells.map((cell, index): CellState => {
      const cellApp = cellApps[index]
      const read = cellApp ? parameters[keys.indexOf(cellApp.key.id)] : undefined
      const rounds =
        cell.key === null
          ? cell.runs.map((run) => toRound(toFinishedRound(cell.id, run)))
          : (boardRounds?.rounds.filter((round) => round.cell === cell.id).map(toRound) ?? [])
      const app: CellApp | null = cellApp
        ? {
            ...cellApp,
            form: toAppForm(cellApp.key, read?.data),
            isLoading: !read?.data && !read?.problem,
            problem: read?.data ? null : (read?.problem ?? null),
          }
        : null
      const entry = cellApp ? getRunEntry(cellApp.key) : (rounds.find(({ row }) => row)?.row?.entry ?? 'chat.send')
      return { cell, app, entry, rounds, turns: rounds.flatMap(({ run_id }) => turns.get(run_id ?? '') ?? []) }
    })
  }, [cells, boardRounds, cellApps, ids, keys, parameters, rows, turns])
}

const toFinishedRound = (cell: string, run: string): BoardRound => ({
  number: 0,
  cell,
  state: 'succeeded',
  is_visible: true,
  key: null,
  run,
  has_request: false,
  problem: null,
})

const toFinishedTurn = (row: Run): Turn | null => (isActiveStatus(row.status) ? null : toTurn(row, null))

/** The round that a cell shows: the requested one, else the newest that has begun. */
export function getShownRound({ rounds }: CellState, round: number | null): Round | null {
  if (round !== null) return rounds[round - 1] ?? null
  return rounds.findLast(({ isWaiting, isLost }) => !isWaiting && !isLost) ?? rounds[0] ?? null
}

/** The app of a cell, as this console has it now. */
export interface CellApp {
  key: Key
  workspace: Workspace
  form: AppForm
  /** Whether its form is still to come, or why it did not. */
  isLoading: boolean
  problem: Problem | null
}
