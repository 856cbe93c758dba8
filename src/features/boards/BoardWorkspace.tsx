import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Workspace } from '#contract/console/consoleEndpoints.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { contract } from '#contract/index.ts'
import type { FieldErrors } from '../runs/inputs/inputFields.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { newRunId } from '../../client/useRun.ts'
import { RequestPane } from './request/RequestPane.tsx'
import { type Board, type BoardCell, sortCells, getCellLetter, MAX_CELLS, addCell } from './board.ts'
import classes from './Board.module.css'
import { BoardToolbar } from './BoardToolbar.tsx'
import { BoardInspector } from './BoardInspector.tsx'
import { CellView } from './cells/CellView.tsx'
import { type MetricsRow, MetricsTable } from './cells/MetricsTable.tsx'
import { boardMessages } from './messages.ts'
import { summarizeTurns } from './cells/cellMetrics.ts'
import type { SavedBoard } from './useBoard.ts'
import { useBoardRuns } from './rounds/useBoardRuns.ts'
import { type CellState, getShownRound, useCells } from './cells/useCells.ts'
import { usePermission } from '../../client/usePermission.ts'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'
import { DisabledFieldset } from '../../components/forms/DisabledFieldset.tsx'

export interface BoardWorkspaceProps {
  savedBoard: SavedBoard
  board_id: string
  workspace: string
  workspaces: readonly Workspace[]
}

/** A board at work: what is asked, the cells side by side, the figures, the inspector of one run. */
export function BoardWorkspace({ savedBoard, board_id, workspace, workspaces }: BoardWorkspaceProps) {
  const t = useMessages(boardMessages)
  const { get, set } = useSearchParamState()
  const { board, edit } = savedBoard
  const isNarrow = useMediaQuery('(max-width: 820px)', false, { getInitialValueInEffect: false })
  const main = useRef<HTMLDivElement>(null)
  const session = useRead(contract.console.session, {})
  const defaultUser = session.data?.person.default_user ?? ''
  const can = usePermission()(contract.console.updateSavedItem)
  const cells = useCells(board, workspaces)
  const boardRuns = useBoardRuns(savedBoard, board_id, cells, defaultUser)
  const number = Number(get('round') ?? NaN)
  const round = Number.isInteger(number) && number > 0 ? number : null
  const summaries = useMemo(() => new Map(cells.map(({ cell, turns }) => [cell.id, summarizeTurns(turns)])), [cells])
  const ordered = sortCells(board).flatMap(({ id }) => cells.find(({ cell }) => cell.id === id) ?? [])
  const baselineCell = cells.find(({ cell }) => cell.id === board.baseline)
  const finishedTurns = (knownCell: CellState) => {
    const shownRound = getShownRound(knownCell, round)
    return knownCell.turns.find(({ run_id }) => run_id === shownRound?.id) ?? null
  }
  const add = (cell: BoardCell) => edit((now) => addCell(now, cell))
  const hasSeveralCells = new Set(cells.flatMap(({ app }) => app?.workspace.id ?? [])).size > 1
  const getCellName = ({ app, rounds }: CellState) =>
    app
      ? [app.key.label, ...(hasSeveralCells ? [app.workspace.name] : [])].join(' · ')
      : rounds[0]?.row?.title.slice(0, 40) || t('finishedRun')
  const sharedRequest = boardRuns.cellsWithApp.filter(({ cell }) => !cell.own)
  const errors: FieldErrors = Object.assign(
    {},
    ...sharedRequest.map(({ cell }) => boardRuns.invalidRequests.get(cell.id)?.errors ?? {}),
  )
  const keys = new Set(sharedRequest.map(({ app }) => app.key.id))
  const user = (board.user ?? defaultUser).trim()
  // A file that is uploaded is one app's: for several there is no place to send it to.
  const singleApp = keys.size === 1 ? sharedRequest[0]?.app.key : undefined
  const change = (boardSection: Partial<Board>) => {
    boardRuns.clearInvalid()
    edit((now) => ({ ...now, ...boardSection }))
  }
  const hasRuns = ordered.some(({ rounds }) => rounds.length > 0)
  const rows = ordered.map((knownCell): MetricsRow => ({
    id: knownCell.cell.id,
    letter: getCellLetter(board, knownCell.cell.id),
    name: getCellName(knownCell),
    isBaseline: knownCell === baselineCell,
    rounds: knownCell.rounds.length,
    summary: summaries.get(knownCell.cell.id) ?? summarizeTurns([]),
    shown: finishedTurns(knownCell),
  }))
  const isReady =
    can &&
    boardRuns.cellsWithApp.length > 0 &&
    !boardRuns.cellsWithApp.some(({ app }) => app.isLoading) &&
    session.isSuccess
  const run = () => {
    if (!isReady) return
    set({ round: null, run: null }, { replace: true })
    void boardRuns.run()
    // In one column the cells stand below the form.
    if (isNarrow) main.current?.scrollIntoView({ block: 'start' })
  }
  // What a cell alone is asked stands in the cell: the keys that send work there too.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    run()
  }
  return (
    <div className={classes.desk} onKeyDown={onKeyDown}>
      <BoardSidebar isNarrow={isNarrow} isOpen={!hasRuns}>
        {can || !session.data ? null : <PermissionNote {...getRequiredAccess(contract.console.updateSavedItem)} />}
        <DisabledFieldset isDisabled={!can}>
          <RequestPane
            board={board}
            forms={sharedRequest.map(({ app }) => app.form)}
            cells={boardRuns.cellsWithApp.length}
            isReady={isReady}
            defaultUser={defaultUser}
            upload={singleApp?.offers.includes('uploadFile') ? { key: singleApp.id, user } : null}
            errors={errors}
            missingCount={boardRuns.invalidRequests.size}
            onInput={(boardSection) => {
              boardRuns.clearInvalid()
              edit((now) => ({ ...now, asked: { ...now.asked, ...boardSection } }))
            }}
            onBoard={change}
            onRun={run}
          />
        </DisabledFieldset>
      </BoardSidebar>
      <div className={classes.main} tabIndex={0} role="region" aria-label={t('cells')} ref={main}>
        <BoardToolbar
          workspaces={workspaces}
          isFull={board.cells.length >= MAX_CELLS}
          rounds={Math.max(0, ...cells.map(({ rounds }) => rounds.length))}
          boardRuns={boardRuns}
          canAdd={can}
          onApp={(key) => add({ id: newRunId(), key, own: null, runs: [] })}
          onRunId={(run_id) => add({ id: newRunId(), key: null, own: null, runs: [run_id] })}
        />
        {ordered.length === 0 ? <EmptyState title={t('emptyBoard')}>{t('emptyBoardText')}</EmptyState> : null}
        <div className={classes.cells}>
          {ordered.map((knownCell) => (
            <CellView
              key={knownCell.cell.id}
              knownCell={knownCell}
              savedBoard={savedBoard}
              boardRuns={boardRuns}
              canEdit={can}
              workspace={workspace}
              workspaces={workspaces}
              user={user}
              name={getCellName(knownCell)}
              position={hasSeveralCells ? (knownCell.app?.workspace.name ?? null) : null}
              shownRound={getShownRound(knownCell, round)}
              baseline={
                baselineCell && knownCell !== baselineCell
                  ? { letter: getCellLetter(board, baselineCell.cell.id), turn: finishedTurns(baselineCell) }
                  : null
              }
            />
          ))}
        </div>
        {hasRuns ? (
          <section className={classes.figures} aria-label={t('statistics')}>
            <h2>{t('statistics')}</h2>
            <p className={classes.note}>{t('statisticsNote')}</p>
            <div className={classes.table}>
              <MetricsTable rows={rows} />
            </div>
          </section>
        ) : null}
      </div>
      <BoardInspector workspace={workspace} />
    </div>
  )
}

/** The place of the form: at the left, or folded over the cells once there are answers to see. */
function BoardSidebar({ isNarrow, isOpen, children }: { isNarrow: boolean; isOpen: boolean; children: ReactNode }) {
  const t = useMessages(boardMessages)
  const [hasBeenOpen] = useState(isOpen)
  if (!isNarrow) return <div className={classes.left}>{children}</div>
  return (
    <details className={classes.fold} open={hasBeenOpen}>
      <summary>{t('asked')}</summary>
      {children}
    </details>
  )
}
