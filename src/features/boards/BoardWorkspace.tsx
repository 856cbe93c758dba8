import { MAX_BOARD_CELLS } from '#contract/console/boards.ts'
import { Box, Text } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { getRequiredAccess } from '#contract/permissions.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { newRunId } from '../../client/useRun.ts'
import { RequestPane } from './request/RequestPane.tsx'
import classes from './Board.module.css'
import { BoardToolbar, AddCell } from './BoardToolbar.tsx'
import { CellView } from './cells/CellView.tsx'
import { MetricsTable } from './cells/MetricsTable.tsx'
import { boardMessages } from './messages.ts'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'
import { DisabledFieldset } from '../../components/forms/DisabledFieldset.tsx'
import { PendingUploadsContext } from '../runs/inputs/pendingUploads.ts'
import { type BoardWorkspaceProps, useBoardWorkspace } from './useBoardWorkspace.ts'
import { useMediaQuery } from '@mantine/hooks'
import { RunInspector } from '../runs/inspector/RunInspector.tsx'
import { InspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { INSPECTOR_TABS, parseInspectorTab } from '../runs/inspector/inspectorTabs.ts'
import { useTurn } from '../runs/useTurn.ts'
import { useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'

/** A board: request form, cells side by side, metrics, and the inspector of one run. */
export function BoardWorkspace(props: BoardWorkspaceProps) {
  const { savedBoard, workspace, workspaces } = props
  const { board } = savedBoard
  const t = useMessages(boardMessages)
  const main = useRef<HTMLDivElement>(null)
  const boardWorkspace = useBoardWorkspace(props, main)
  const {
    session,
    defaultUser,
    user,
    can,
    isNarrow,
    cells,
    ordered,
    boardRuns,
    boardRounds,
    getCellName,
    request,
    add,
    hasRuns,
  } = boardWorkspace
  const isEmpty = ordered.length === 0
  const onAdd = (key: string | null, runs: string[]) => {
    // With the first cell the controls move to the toolbar, and would take the focus with them.
    if (isEmpty) main.current?.focus()
    add({ id: newRunId(), key, own: null, runs })
  }
  const addControls = can ? (
    <AddCell
      workspaces={workspaces}
      isFull={board.cells.length >= MAX_BOARD_CELLS}
      onApp={(key) => onAdd(key, [])}
      onRun={(run_id) => onAdd(null, [run_id])}
    />
  ) : null
  return (
    <div className={classes.desk} onKeyDown={boardWorkspace.onKeyDown}>
      <PendingUploadsContext value={boardWorkspace.uploads.note}>
        <BoardSidebar isNarrow={isNarrow} isOpen={!hasRuns}>
          {can || !session.data ? null : <PermissionNote {...getRequiredAccess(savedItemEndpoints.updateSavedItem)} />}
          <DisabledFieldset isDisabled={!can}>
            <RequestPane
              board={board}
              forms={request.forms}
              apps={boardRuns.cellsWithApp.map(({ app }) => app.key)}
              isReady={request.isReady}
              defaultUser={defaultUser}
              upload={request.upload}
              errors={request.errors}
              missingCount={boardRuns.invalidRequests.size}
              isWaitingForUploads={boardWorkspace.uploads.isSendRefused}
              onInput={boardWorkspace.changeRequest}
              onBoard={boardWorkspace.change}
              onRun={boardWorkspace.run}
            />
          </DisabledFieldset>
        </BoardSidebar>
        <div className={classes.main} tabIndex={0} role="region" aria-label={t('cells')} ref={main}>
          <BoardToolbar
            rounds={Math.max(0, ...cells.map(({ rounds }) => rounds.length))}
            boardRuns={boardRuns}
            addControls={isEmpty ? null : addControls}
          />
          {boardRounds.problem ? (
            <ProblemAlert problem={boardRounds.problem} action={t('readRounds')} onRetry={boardRounds.retry} />
          ) : null}
          {isEmpty ? (
            <EmptyState title={t('emptyBoard')} actions={addControls}>
              {t('emptyBoardText')}
            </EmptyState>
          ) : null}
          <div className={classes.cells}>
            {ordered.map((cellState) => (
              <CellView
                key={cellState.cell.id}
                cellState={cellState}
                savedBoard={savedBoard}
                boardRuns={boardRuns}
                canEdit={can}
                workspace={workspace}
                workspaces={workspaces}
                user={user}
                name={getCellName(cellState)}
                position={boardWorkspace.hasSeveralWorkspaces ? (cellState.app?.workspace.name ?? null) : null}
                shownRound={boardWorkspace.getShownRound(cellState)}
                baseline={boardWorkspace.getBaseline(cellState)}
              />
            ))}
          </div>
          {hasRuns ? (
            <Box component="section" pt={20} aria-label={t('statistics')}>
              <Text component="h2" fw={600}>
                {t('statistics')}
              </Text>
              <Text c="dimmed" fz="sm">
                {t('statisticsNote')}
              </Text>
              <Box className={classes.table} mt="sm" bd="1px solid var(--line)" bdrs="lg">
                <MetricsTable rows={boardWorkspace.metricsRows} />
              </Box>
            </Box>
          ) : null}
        </div>
      </PendingUploadsContext>
      <BoardInspector workspace={workspace} />
    </div>
  )
}

/** The place of the form: at the left, or folded above the cells once there are answers. */
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

const READ_WIDTH_IMMEDIATELY = { getInitialValueInEffect: false }

/** The inspector of the run in the URL (`?run=`). */
export function BoardInspector({ workspace }: { workspace: string }) {
  const { get } = useSearchParamState()
  const run_id = get('run')
  return run_id === undefined ? null : <BoardInspectorPane run_id={run_id} workspace={workspace} />
}

function BoardInspectorPane({ run_id, workspace }: { run_id: string; workspace: string }) {
  const { get, set } = useSearchParamState()
  const { run } = useTurn(run_id)
  const fitsBeside = useMediaQuery('(min-width: 1200px)', true, READ_WIDTH_IMMEDIATELY)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, READ_WIDTH_IMMEDIATELY)
  const source = Number(get('source') ?? NaN)
  const close = () => set({ run: null, node: null, source: null, frame: null }, { replace: true })
  useShortcuts([
    [']', close],
    ...INSPECTOR_TABS.map((tab, index): [string, () => void] => [
      String(index + 1),
      () => set({ tab }, { replace: true }),
    ]),
  ])
  return (
    <InspectorPane name="compare" pane={{ fitsBeside, isNarrow, isOpen: true, open: () => undefined, toggle: close }}>
      <RunInspector
        key={run_id}
        run_id={run_id}
        run={run}
        workspace={run?.workspace ?? workspace}
        tab={parseInspectorTab(get('tab'))}
        source={Number.isInteger(source) ? source : null}
        onTab={(tab) => set({ tab }, { replace: true })}
        onClose={close}
      />
    </InspectorPane>
  )
}
