import { useMemo, useSyncExternalStore } from 'react'
import type { Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { type Turn, turnOf } from '../../run/turn.ts'
import { useReads } from '../../wire/query.ts'
import { runs } from '../../wire/useRun.ts'
import { useRunRows } from '../../wire/useRunRows.ts'
import { appOf } from './apps.ts'
import type { Board, Cell } from './board.ts'
import type { CellApp } from './cellApp.ts'
import { conductor } from './rounds.ts'
import { entryOf, formOf } from './request.ts'

/** A round of a cell as this page knows it. */
export interface Round {
  id: string
  row: Run | null
  problem: Problem | null
  /** It waits here for the one before it. */
  waits: boolean
  /** Neither the server nor this page has it under way. */
  isLost: boolean
  goesOn: boolean
}

/** A cell with all that is known of it. */
export interface KnownCell {
  cell: Cell
  app: CellApp | null
  entry: Run['entry']
  rounds: Round[]
  /** Those that are over. */
  turns: Turn[]
}

/** The cells of a board with their apps and their rounds. */
export function useCells(board: Board, workspaces: readonly Workspace[]): KnownCell[] {
  const waiting = useSyncExternalStore(conductor.subscribe, conductor.waiting)
  const { cells } = board
  const homes = useMemo(() => cells.map(({ key }) => appOf(workspaces, key)), [cells, workspaces])
  const keys = useMemo(() => [...new Set(homes.flatMap((home) => (home ? [home.key.id] : [])))], [homes])
  const parameters = useReads(
    contract.workflows.parameters,
    keys.map((key) => ({ key })),
  )
  const ids = useMemo(() => [...new Set(cells.flatMap((cell) => cell.runs))], [cells])
  const rows = useRunRows(ids, (id) => waiting.has(id))
  const turns = useMemo(
    () => new Map(ids.map((id, index) => [id, rows[index]?.data ? overOf(rows[index].data) : null])),
    [ids, rows],
  )
  return useMemo(() => {
    const roundOf = (id: string): Round => {
      const { data: row = null, problem = null } = rows[ids.indexOf(id)] ?? {}
      const waits = waiting.has(id)
      const phase = runs.view(id)?.phase
      const goesOn = phase === 'watching' || (phase === undefined && row !== null && isLive(row.status))
      const isLost = !waits && row === null && problem?.status === 404 && (phase === undefined || phase === 'ended')
      return { id, row, problem, waits, isLost, goesOn }
    }
    return cells.map((cell, index): KnownCell => {
      const home = homes[index]
      const read = home ? parameters[keys.indexOf(home.key.id)] : undefined
      const rounds = cell.runs.map(roundOf)
      const app: CellApp | null = home
        ? {
            ...home,
            form: formOf(home.key, read?.data),
            isLoading: !read?.data && !read?.problem,
            problem: read?.data ? null : (read?.problem ?? null),
          }
        : null
      const entry = home ? entryOf(home.key) : (rounds.find(({ row }) => row)?.row?.entry ?? 'chat.send')
      return { cell, app, entry, rounds, turns: cell.runs.flatMap((id) => turns.get(id) ?? []) }
    })
  }, [cells, homes, ids, keys, parameters, rows, turns, waiting])
}

const overOf = (row: Run): Turn | null => (isLive(row.status) ? null : turnOf(row, null))

/** The round that a cell shows: the one that is asked for, else the newest that has begun. */
export function shownOf({ rounds }: KnownCell, round: number | null): Round | null {
  if (round !== null) return rounds[round - 1] ?? null
  return rounds.findLast(({ waits, isLost }) => !waits && !isLost) ?? rounds[0] ?? null
}
