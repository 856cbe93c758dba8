import type { Workspace } from '#contract/console/workspaces.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { newRunId } from '../../../client/useRun.ts'
import { getCellLetter, removeCell, MAX_CELLS, emptyBoardInput, addCell, spreadCell, updateCell } from '../board.ts'
import classes from '../Board.module.css'
import { CellCard } from './CellCard.tsx'
import { CellReply, type CellReplyProps } from './CellReply.tsx'
import { boardMessages } from '../messages.ts'
import { roundScheduler } from '../rounds/sharedRoundScheduler.ts'
import type { SavedBoard } from '../useBoard.ts'
import type { BoardRuns } from '../rounds/useBoardRuns.ts'
import type { CellState, Round } from './useCells.ts'

export interface CellViewProps {
  knownCell: CellState
  savedBoard: SavedBoard
  boardRuns: BoardRuns
  canEdit: boolean
  workspace: string
  workspaces: readonly Workspace[]
  user: string
  name: string
  /** The workspace of its app, where the cells are of more than one. */
  position: string | null
  shownRound: Round | null
  /** Null for the baseline itself. */
  baseline: CellReplyProps['baseline']
}

/** One cell of a board, with what one can do with it. */
export function CellView(props: CellViewProps) {
  const {
    knownCell,
    savedBoard,
    boardRuns,
    canEdit,
    workspace,
    workspaces,
    user,
    name,
    position: place,
    shownRound,
    baseline,
  } = props
  const t = useMessages(boardMessages)
  const { get, set } = useSearchParamState()
  const { board, edit } = savedBoard
  const { cell, app, entry } = knownCell
  const source = Number(get('source') ?? NaN)
  const isFull = board.cells.length >= MAX_CELLS
  const inspect: CellReplyProps['onInspect'] = (run, { source: position = null, node = null } = {}) =>
    set({ run, node, source: position, ...(position === null ? {} : { tab: 'sources' }) }, { replace: true })
  const copy = () => {
    const copiedRunId = {
      id: newRunId(),
      key: cell.key,
      own: cell.own ?? board.asked,
      workflow_id: cell.workflow_id ?? null,
      runs: [],
    }
    edit((now) => addCell(now, copiedRunId))
  }
  return (
    <CellCard
      cell={cell}
      letter={getCellLetter(board, cell.id)}
      isBaseline={cell.id === board.baseline}
      app={app}
      name={name}
      position={place}
      workspaces={workspaces}
      upload={app?.key.offers.includes('uploadFile') ? { key: app.key.id, user } : null}
      invalidRequest={boardRuns.invalidRequests.get(cell.id) ?? null}
      actions={
        !canEdit
          ? null
          : {
              onApp: (key) => {
                boardRuns.clearInvalid()
                roundScheduler.cancel(cell.runs)
                edit((now) => updateCell(now, cell.id, { key, workflow_id: null, runs: [] }))
              },
              onVersion: (workflow_id) => edit((now) => updateCell(now, cell.id, { workflow_id })),
              onBaseline: () => edit((now) => ({ ...now, baseline: cell.id })),
              onCopy: isFull || cell.key === null ? null : copy,
              spread:
                isFull || cell.key === null
                  ? null
                  : {
                      freeCells: MAX_CELLS - board.cells.length,
                      add: (variants) => {
                        const added = variants.map((variant) => ({ ...variant, id: newRunId() }))
                        edit((now) => spreadCell(now, cell.id, added))
                      },
                    },
              onOverride: (override) => {
                boardRuns.clearInvalid()
                edit((now) => {
                  const former = now.cells.find(({ id }) => id === cell.id)?.own ?? now.asked ?? emptyBoardInput
                  return updateCell(now, cell.id, { own: override && { ...former, ...override } })
                })
              },
              onRemove: () => {
                roundScheduler.cancel(cell.runs)
                edit((now) => removeCell(now, cell.id))
              },
            }
      }
    >
      {shownRound ? (
        <CellReply
          key={shownRound.id}
          run_id={shownRound.id}
          entry={entry}
          row={shownRound.row}
          problem={shownRound.problem}
          app={app}
          workspace={shownRound.row?.workspace ?? app?.workspace.id ?? workspace}
          isWaiting={shownRound.isWaiting}
          baseline={get('show') === 'differences' ? baseline : null}
          source={Number.isInteger(source) && get('run') === shownRound.id ? source : null}
          onInspect={inspect}
          onRerun={app && canEdit ? (question) => void boardRuns.rerun(knownCell, shownRound.id, question) : null}
          onSendRemaining={app && canEdit && shownRound.isLost ? boardRuns.sendRemaining : null}
        />
      ) : (
        <p className={classes.note}>{t('notRun')}</p>
      )}
    </CellCard>
  )
}
