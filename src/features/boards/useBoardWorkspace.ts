import { useMediaQuery } from '@mantine/hooks'
import { isSubmitShortcut } from '../../components/hooks/modifierKey.ts'
import { type KeyboardEvent, type RefObject, useMemo } from 'react'
import { accessEndpoints } from '#contract/console/access.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { FieldErrors } from '../runs/inputs/inputFields.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { usePendingUploads } from '../runs/inputs/pendingUploads.ts'
import { useRead } from '../../client/query.ts'
import { type Board, type BoardCell, sortCells, getCellLetter, addCell } from './board.ts'
import { type MetricsRow, summarizeTurns } from './cells/MetricsTable.tsx'
import { boardMessages } from './messages.ts'
import type { SavedBoard } from './useBoard.ts'
import { useBoardRounds } from './rounds/useBoardRounds.ts'
import { type BoardRuns, useBoardRuns } from './rounds/useBoardRuns.ts'
import { type CellState, getShownRound, useCells } from './cells/useCells.ts'
import { usePermission } from '../../client/usePermission.ts'

export interface BoardWorkspaceProps {
  savedBoard: SavedBoard
  board_id: string
  workspace: string
  workspaces: readonly Workspace[]
}

/** A board at work: its cells, what a press of Run asks them, and what their answers add up to. */
export function useBoardWorkspace(
  { savedBoard, board_id, workspaces }: BoardWorkspaceProps,
  mainRef: RefObject<HTMLElement | null>,
) {
  const t = useMessages(boardMessages)
  const { get, set } = useSearchParamState()
  const { board, edit } = savedBoard
  const isNarrow = useMediaQuery('(max-width: 820px)', false, { getInitialValueInEffect: false })
  const session = useRead(accessEndpoints.session, {})
  const defaultUser = session.data?.person.default_user ?? ''
  const can = usePermission()(savedItemEndpoints.updateSavedItem)
  const boardRounds = useBoardRounds(board_id)
  const cells = useCells(board, boardRounds.rounds, workspaces)
  const boardRuns = useBoardRuns(savedBoard, boardRounds, cells, defaultUser)
  const uploads = usePendingUploads()
  const number = Number(get('round') ?? NaN)
  const round = Number.isInteger(number) && number > 0 ? number : null
  const summaries = useMemo(() => new Map(cells.map(({ cell, turns }) => [cell.id, summarizeTurns(turns)])), [cells])
  const ordered = sortCells(board).flatMap(({ id }) => cells.find(({ cell }) => cell.id === id) ?? [])
  const baselineCell = cells.find(({ cell }) => cell.id === board.baseline)
  const getShownTurn = (cellState: CellState) => {
    const shownRound = getShownRound(cellState, round)
    return cellState.turns.find(({ run_id }) => run_id === shownRound?.run_id) ?? null
  }
  const add = (cell: BoardCell) => edit((now) => addCell(now, cell))
  const hasSeveralWorkspaces = new Set(cells.flatMap(({ app }) => app?.workspace.id ?? [])).size > 1
  const getCellName = ({ app, rounds }: CellState) =>
    app
      ? [app.key.label, ...(hasSeveralWorkspaces ? [app.workspace.name] : [])].join(' · ')
      : rounds[0]?.row?.title.slice(0, 40) || t('finishedRun')
  const user = (board.user ?? defaultUser).trim()
  const change = (boardSection: Partial<Board>) => {
    boardRuns.clearInvalid()
    edit((now) => ({ ...now, ...boardSection }))
  }
  const hasRuns = ordered.some(({ rounds }) => rounds.length > 0)
  const rows = ordered.map((cellState): MetricsRow => ({
    id: cellState.cell.id,
    letter: getCellLetter(board, cellState.cell.id),
    name: getCellName(cellState),
    isBaseline: cellState === baselineCell,
    rounds: cellState.rounds.length,
    summary: summaries.get(cellState.cell.id) ?? summarizeTurns([]),
    shown: getShownTurn(cellState),
  }))
  const isReady =
    can &&
    boardRuns.cellsWithApp.length > 0 &&
    !boardRuns.cellsWithApp.some(({ app }) => app.isLoading) &&
    session.isSuccess
  const run = () => {
    if (!isReady || uploads.refuseSend()) return
    set({ round: null, run: null }, { replace: true })
    void boardRuns.run()
    // In one column the cells are below the form.
    if (isNarrow) mainRef.current?.scrollIntoView({ block: 'start' })
  }
  // The request of a single cell is edited in the cell: the keys that send work there too.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitShortcut(event)) return
    event.preventDefault()
    run()
  }
  const getBaseline = (cellState: CellState) =>
    baselineCell && cellState !== baselineCell
      ? { letter: getCellLetter(board, baselineCell.cell.id), turn: getShownTurn(baselineCell) }
      : null
  return {
    session,
    defaultUser,
    user,
    can,
    isNarrow,
    cells,
    ordered,
    boardRuns,
    boardRounds,
    uploads,
    getCellName,
    getShownRound: (cellState: CellState) => getShownRound(cellState, round),
    getBaseline,
    hasSeveralWorkspaces,
    request: { ...toSharedRequest(boardRuns, user), isReady },
    change,
    changeRequest: (input: Partial<Board['asked']>) => {
      boardRuns.clearInvalid()
      edit((now) => ({ ...now, asked: { ...now.asked, ...input } }))
    },
    add,
    run,
    onKeyDown,
    hasRuns,
    metricsRows: rows,
  }
}

function toSharedRequest({ cellsWithApp, invalidRequests }: BoardRuns, user: string) {
  const sharedCells = cellsWithApp.filter(({ cell }) => !cell.own)
  const errors: FieldErrors = Object.assign(
    {},
    ...sharedCells.map(({ cell }) => invalidRequests.get(cell.id)?.errors ?? {}),
  )
  const keys = new Set(sharedCells.map(({ app }) => app.key.id))
  // An uploaded file belongs to one app: it cannot be sent to several.
  const singleApp = keys.size === 1 ? sharedCells[0]?.app.key : undefined
  return {
    forms: sharedCells.map(({ app }) => app.form),
    errors,
    upload: singleApp?.offers.includes('uploadFile') ? { key: singleApp.id, user } : null,
  }
}
