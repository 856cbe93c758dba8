import { useMemo, useSyncExternalStore } from 'react'
import type { Problem } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Workspace, Key } from '#contract/console/workspaces.ts'
import { type Turn, toTurn } from '../../runs/turn.ts'
import { useReads } from '../../../client/parallelReads.ts'
import { runStore } from '../../../client/useRun.ts'
import { useRunRows } from '../../../client/useRunRows.ts'
import { findApp } from '../appOptions.ts'
import type { Board, BoardCell } from '../board.ts'
import { roundScheduler } from '../rounds/roundScheduler.ts'
import { getRunEntry, toAppForm, type AppForm } from '../request/cellRequest.ts'

/** A round of a cell as this page knows it. */
export interface Round {
  id: string
  row: Run | null
  problem: Problem | null
  /** It waits here for the one before it. */
  isWaiting: boolean
  /** Neither the server nor this page has it under way. */
  isLost: boolean
  isRunning: boolean
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
export function useCells(board: Board, workspaces: readonly Workspace[]): CellState[] {
  const waitingIds = useSyncExternalStore(roundScheduler.subscribe, roundScheduler.waiting)
  const { cells } = board
  const cellApps = useMemo(() => cells.map(({ key }) => findApp(workspaces, key)), [cells, workspaces])
  const keys = useMemo(() => [...new Set(cellApps.flatMap((cellApp) => (cellApp ? [cellApp.key.id] : [])))], [cellApps])
  const parameters = useReads(
    appParameterEndpoints.parameters,
    keys.map((key) => ({ key })),
  )
  const ids = useMemo(() => [...new Set(cells.flatMap((cell) => cell.runs))], [cells])
  const rows = useRunRows(ids, (id) => waitingIds.has(id))
  const turns = useMemo(
    () => new Map(ids.map((id, index) => [id, rows[index]?.data ? toFinishedTurn(rows[index].data) : null])),
    [ids, rows],
  )
  return useMemo(() => {
    const toRound = (id: string): Round => {
      const { data: row = null, problem = null } = rows[ids.indexOf(id)] ?? {}
      const isWaiting = waitingIds.has(id)
      const phase = runStore.view(id)?.phase
      const isRunning = phase === 'watching' || (phase === undefined && row !== null && isActiveStatus(row.status))
      const isLost = !isWaiting && row === null && problem?.status === 404 && (phase === undefined || phase === 'ended')
      return { id, row, problem, isWaiting, isLost, isRunning }
    }
    return cells.map((cell, index): CellState => {
      const cellApp = cellApps[index]
      const read = cellApp ? parameters[keys.indexOf(cellApp.key.id)] : undefined
      const rounds = cell.runs.map(toRound)
      const app: CellApp | null = cellApp
        ? {
            ...cellApp,
            form: toAppForm(cellApp.key, read?.data),
            isLoading: !read?.data && !read?.problem,
            problem: read?.data ? null : (read?.problem ?? null),
          }
        : null
      const entry = cellApp ? getRunEntry(cellApp.key) : (rounds.find(({ row }) => row)?.row?.entry ?? 'chat.send')
      return { cell, app, entry, rounds, turns: cell.runs.flatMap((id) => turns.get(id) ?? []) }
    })
  }, [cells, cellApps, ids, keys, parameters, rows, turns, waitingIds])
}

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
