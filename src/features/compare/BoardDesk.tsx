import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import type { Faults } from '../../run/inputs.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { newRunId } from '../../wire/useRun.ts'
import { AskPane } from './AskPane.tsx'
import { type Board, type Cell, inOrder, letterOf, MOST_CELLS, plusCell } from './board.ts'
import classes from './Board.module.css'
import { BoardBar } from './BoardBar.tsx'
import { BoardInspector } from './BoardInspector.tsx'
import { CellView } from './CellView.tsx'
import { type FigureRow, FigureTable } from './FigureTable.tsx'
import { compareWords } from './messages.ts'
import { summaryOf } from './spread.ts'
import type { KeptBoard } from './useBoard.ts'
import { useBoardRuns } from './useBoardRuns.ts'
import { type KnownCell, shownOf, useCells } from './useCells.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'
import { Locked } from '../../ui/fields/Locked.tsx'

export interface BoardDeskProps {
  kept: KeptBoard
  board_id: string
  workspace: string
  workspaces: readonly Workspace[]
}

/** A board at work: what is asked, the cells side by side, the figures, the inspector of one run. */
export function BoardDesk({ kept, board_id, workspace, workspaces }: BoardDeskProps) {
  const t = useWords(compareWords)
  const { get, set } = useListState()
  const { board, edit } = kept
  const isNarrow = useMediaQuery('(max-width: 820px)', false, { getInitialValueInEffect: false })
  const main = useRef<HTMLDivElement>(null)
  const session = useRead(contract.console.session, {})
  const defaultUser = session.data?.person.default_user ?? ''
  const may = useMay()(contract.console.updateKept)
  const cells = useCells(board, workspaces)
  const sent = useBoardRuns(kept, board_id, cells, defaultUser)
  const number = Number(get('round') ?? NaN)
  const round = Number.isInteger(number) && number > 0 ? number : null
  const summaries = useMemo(() => new Map(cells.map(({ cell, turns }) => [cell.id, summaryOf(turns)])), [cells])
  const ordered = inOrder(board).flatMap(({ id }) => cells.find(({ cell }) => cell.id === id) ?? [])
  const base = cells.find(({ cell }) => cell.id === board.baseline)
  const overOf = (known: KnownCell) => {
    const shown = shownOf(known, round)
    return known.turns.find(({ run_id }) => run_id === shown?.id) ?? null
  }
  const add = (cell: Cell) => edit((now) => plusCell(now, cell))
  const areMany = new Set(cells.flatMap(({ app }) => app?.workspace.id ?? [])).size > 1
  const nameOf = ({ app, rounds }: KnownCell) =>
    app
      ? [app.key.label, ...(areMany ? [app.workspace.name] : [])].join(' · ')
      : rounds[0]?.row?.title.slice(0, 40) || t('finishedRun')
  const shared = sent.asking.filter(({ cell }) => !cell.own)
  const faults: Faults = Object.assign({}, ...shared.map(({ cell }) => sent.refused.get(cell.id)?.faults ?? {}))
  const keys = new Set(shared.map(({ app }) => app.key.id))
  const user = (board.user ?? defaultUser).trim()
  // A file that is uploaded is one app's: for several there is no place to send it to.
  const alone = keys.size === 1 ? shared[0]?.app.key : undefined
  const change = (part: Partial<Board>) => {
    sent.forget()
    edit((now) => ({ ...now, ...part }))
  }
  const hasRuns = ordered.some(({ rounds }) => rounds.length > 0)
  const rows = ordered.map((known): FigureRow => ({
    id: known.cell.id,
    letter: letterOf(board, known.cell.id),
    name: nameOf(known),
    isBaseline: known === base,
    rounds: known.rounds.length,
    summary: summaries.get(known.cell.id) ?? summaryOf([]),
    shown: overOf(known),
  }))
  const isReady = may && sent.asking.length > 0 && !sent.asking.some(({ app }) => app.isLoading) && session.isSuccess
  const run = () => {
    if (!isReady) return
    set({ round: null, run: null }, { replace: true })
    void sent.run()
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
      <Left isNarrow={isNarrow} isOpen={!hasRuns}>
        {may || !session.data ? null : <RoleNote entry={contract.console.updateKept} />}
        <Locked when={!may}>
          <AskPane
            board={board}
            forms={shared.map(({ app }) => app.form)}
            cells={sent.asking.length}
            isReady={isReady}
            defaultUser={defaultUser}
            upload={alone?.offers.includes('uploadFile') ? { key: alone.id, user } : null}
            faults={faults}
            lacking={sent.refused.size}
            onAsked={(part) => {
              sent.forget()
              edit((now) => ({ ...now, asked: { ...now.asked, ...part } }))
            }}
            onBoard={change}
            onRun={run}
          />
        </Locked>
      </Left>
      <div className={classes.main} tabIndex={0} role="region" aria-label={t('cells')} ref={main}>
        <BoardBar
          workspaces={workspaces}
          isFull={board.cells.length >= MOST_CELLS}
          rounds={Math.max(0, ...cells.map(({ rounds }) => rounds.length))}
          sent={sent}
          mayAdd={may}
          onApp={(key) => add({ id: newRunId(), key, own: null, runs: [] })}
          onRunId={(run_id) => add({ id: newRunId(), key: null, own: null, runs: [run_id] })}
        />
        {ordered.length === 0 ? <Empty title={t('emptyBoard')}>{t('emptyBoardText')}</Empty> : null}
        <div className={classes.cells}>
          {ordered.map((known) => (
            <CellView
              key={known.cell.id}
              known={known}
              kept={kept}
              sent={sent}
              mayEdit={may}
              workspace={workspace}
              workspaces={workspaces}
              user={user}
              name={nameOf(known)}
              place={areMany ? (known.app?.workspace.name ?? null) : null}
              shown={shownOf(known, round)}
              baseline={base && known !== base ? { letter: letterOf(board, base.cell.id), turn: overOf(base) } : null}
            />
          ))}
        </div>
        {hasRuns ? (
          <section className={classes.figures} aria-label={t('figures')}>
            <h2>{t('figures')}</h2>
            <p className={classes.note}>{t('figuresNote')}</p>
            <div className={classes.table}>
              <FigureTable rows={rows} />
            </div>
          </section>
        ) : null}
      </div>
      <BoardInspector workspace={workspace} />
    </div>
  )
}

/** The place of the form: at the left, or folded over the cells once there are answers to see. */
function Left({ isNarrow, isOpen, children }: { isNarrow: boolean; isOpen: boolean; children: ReactNode }) {
  const t = useWords(compareWords)
  const [wasOpen] = useState(isOpen)
  if (!isNarrow) return <div className={classes.left}>{children}</div>
  return (
    <details className={classes.fold} open={wasOpen}>
      <summary>{t('asked')}</summary>
      {children}
    </details>
  )
}
