import type { Workspace } from '#contract/console.ts'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { newRunId } from '../../wire/useRun.ts'
import { letterOf, minusCell, MOST_CELLS, noAsked, plusCell, withCell } from './board.ts'
import classes from './Board.module.css'
import { CellCard } from './CellCard.tsx'
import { CellReply, type CellReplyProps } from './CellReply.tsx'
import { compareWords } from './messages.ts'
import { conductor } from './rounds.ts'
import type { KeptBoard } from './useBoard.ts'
import type { BoardRuns } from './useBoardRuns.ts'
import type { KnownCell, Round } from './useCells.ts'

export interface CellViewProps {
  known: KnownCell
  kept: KeptBoard
  sent: BoardRuns
  mayEdit: boolean
  workspace: string
  workspaces: readonly Workspace[]
  user: string
  name: string
  /** The workspace of its app, where the cells are of more than one. */
  place: string | null
  shown: Round | null
  /** Null for the baseline itself. */
  baseline: CellReplyProps['baseline']
}

/** One cell of a board, with what one can do with it. */
export function CellView(props: CellViewProps) {
  const { known, kept, sent, mayEdit, workspace, workspaces, user, name, place, shown, baseline } = props
  const t = useWords(compareWords)
  const { get, set } = useListState()
  const { board, edit } = kept
  const { cell, app, entry } = known
  const source = Number(get('source') ?? NaN)
  const isFull = board.cells.length >= MOST_CELLS
  const inspect: CellReplyProps['onInspect'] = (run, { source: position = null, node = null } = {}) =>
    set({ run, node, source: position, ...(position === null ? {} : { tab: 'sources' }) }, { replace: true })
  const copy = () => {
    const made = { id: newRunId(), key: cell.key, own: cell.own ?? board.asked, runs: [] }
    edit((now) => plusCell(now, made))
  }
  return (
    <CellCard
      cell={cell}
      letter={letterOf(board, cell.id)}
      isBaseline={cell.id === board.baseline}
      app={app}
      name={name}
      place={place}
      workspaces={workspaces}
      upload={app?.key.offers.includes('uploadFile') ? { key: app.key.id, user } : null}
      refused={sent.refused.get(cell.id) ?? null}
      deeds={
        !mayEdit
          ? null
          : {
              onApp: (key) => {
                sent.forget()
                conductor.hold(cell.runs)
                edit((now) => withCell(now, cell.id, { key, runs: [] }))
              },
              onBaseline: () => edit((now) => ({ ...now, baseline: cell.id })),
              onCopy: isFull || cell.key === null ? null : copy,
              onOwn: (own) => {
                sent.forget()
                edit((now) => {
                  const former = now.cells.find(({ id }) => id === cell.id)?.own ?? now.asked ?? noAsked
                  return withCell(now, cell.id, { own: own && { ...former, ...own } })
                })
              },
              onRemove: () => {
                conductor.hold(cell.runs)
                edit((now) => minusCell(now, cell.id))
              },
            }
      }
    >
      {shown ? (
        <CellReply
          key={shown.id}
          run_id={shown.id}
          entry={entry}
          row={shown.row}
          problem={shown.problem}
          app={app}
          workspace={shown.row?.workspace ?? app?.workspace.id ?? workspace}
          waits={shown.waits}
          baseline={get('show') === 'differences' ? baseline : null}
          source={Number.isInteger(source) && get('run') === shown.id ? source : null}
          onInspect={inspect}
          onAgain={app && mayEdit ? (question) => void sent.again(known, shown.id, question) : null}
          onRest={app && mayEdit && shown.isLost ? sent.rest : null}
        />
      ) : (
        <p className={classes.note}>{t('notRun')}</p>
      )}
    </CellCard>
  )
}
