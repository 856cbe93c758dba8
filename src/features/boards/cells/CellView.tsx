import { MAX_BOARD_CELLS } from '#contract/console/boards.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { newRunId } from '../../../client/useRun.ts'
import {
  getCellLetter,
  removeCell,
  emptyBoardInput,
  addCell,
  spreadCell,
  updateCell,
  type BoardInput,
  type BoardCell,
  type CellVariant,
} from '../board.ts'
import classes from '../Board.module.css'
import { CellReply, type CellReplyProps } from './CellReply.tsx'
import { boardMessages } from '../messages.ts'
import type { SavedBoard } from '../useBoard.ts'
import type { BoardRuns } from '../rounds/useBoardRuns.ts'
import type { CellState, Round, CellApp } from './useCells.ts'
import { ActionIcon, Box, Button, Menu, NativeSelect, Stack, Text } from '@mantine/core'
import { IconMessageQuestion, IconTargetArrow, IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatFieldError } from '../../runs/inputs/inputFields.ts'
import type { FieldErrors } from '../../runs/inputs/inputFields.ts'
import { inputMessages } from '../../runs/inputs/messages.ts'
import type { UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import { useCanPinVersion } from '../../runs/version/usePinnedVersion.ts'
import { VersionSelect } from '../../runs/version/VersionSelect.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { toAppOptions } from '../appOptions.ts'
import { BoardInputFields, SavedInputs, toBoardInput } from '../request/BoardInputFields.tsx'
import type { CellRequest } from '../request/cellRequest.ts'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { truncateText } from '#contract/truncatedText.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { useRead } from '../../../client/query.ts'

export interface CellViewProps {
  cellState: CellState
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
    cellState,
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
  const { cell, app, entry } = cellState
  const source = Number(get('source') ?? NaN)
  const isFull = board.cells.length >= MAX_BOARD_CELLS
  const inspect: CellReplyProps['onInspect'] = (run, { source: position = null, node = null } = {}) =>
    set({ run, node, source: position, ...(position === null ? {} : { tab: 'sources' }) }, { replace: true })
  const copy = () => {
    const copied = { ...cell, id: newRunId(), own: cell.own ?? board.asked }
    edit((now) => addCell(now, copied))
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
      hasRounds={cellState.rounds.length > 0}
      isHidden={cellState.rounds.some(({ isHidden }) => isHidden)}
      invalidRequest={boardRuns.invalidRequests.get(cell.id) ?? null}
      actions={
        !canEdit
          ? null
          : {
              onApp: (key) => {
                boardRuns.clearInvalid()
                boardRuns.removeRounds(cellState)
                edit((now) => updateCell(now, cell.id, { key, workflow_id: null }))
              },
              onVersion: (workflow_id) => edit((now) => updateCell(now, cell.id, { workflow_id })),
              onBaseline: () => edit((now) => ({ ...now, baseline: cell.id })),
              onCopy: isFull || cell.key === null ? null : copy,
              spread:
                isFull || cell.key === null
                  ? null
                  : {
                      freeCells: MAX_BOARD_CELLS - board.cells.length,
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
                boardRuns.removeRounds(cellState)
                edit((now) => removeCell(now, cell.id))
              },
            }
      }
    >
      {shownRound ? (
        <CellReply
          key={shownRound.run_id ?? shownRound.number}
          round={shownRound}
          entry={entry}
          app={app}
          workspace={shownRound.row?.workspace ?? app?.workspace.id ?? workspace}
          baseline={get('show') === 'differences' ? baseline : null}
          source={Number.isInteger(source) && get('run') === shownRound.run_id ? source : null}
          onInspect={inspect}
          onRerun={app && canEdit ? (question) => boardRuns.rerun(shownRound, question) : null}
          onSendRemaining={app && canEdit && shownRound.isLost ? boardRuns.sendRemaining : null}
        />
      ) : (
        <Text c="dimmed" fz="sm">
          {t('notRun')}
        </Text>
      )}
    </CellCard>
  )
}

export interface CellActions extends CellMenuActions {
  onApp: (key: string) => void
  onVersion: (workflow_id: string | null) => void
  onBaseline: () => void
  onOverride: (own: Partial<BoardInput> | null) => void
}

export interface CellCardProps {
  cell: BoardCell
  letter: string
  isBaseline: boolean
  app: CellApp | null
  /** What a finished run is called here: its app's name. */
  name: string
  /** The workspace of its app, where the cells are of more than one. */
  position: string | null
  workspaces: readonly Workspace[]
  upload: UploadTarget | null
  hasRounds: boolean
  /** Whether it has rounds that the reader may not see. */
  isHidden: boolean
  /** Why nothing was sent after a click on Run. */
  invalidRequest: CellRequest | null
  /** Null for somebody who may not change the board. */
  actions: CellActions | null
  children: ReactNode
}

/** A cell: its app or run, its own request, and the result. */
export function CellCard(props: CellCardProps) {
  const { cell, letter, isBaseline, app, name, position, workspaces, upload, invalidRequest, actions, children } = props
  const { hasRounds, isHidden } = props
  const t = useMessages(boardMessages)
  const formatError = useMessages(inputMessages)
  const errors: FieldErrors = invalidRequest?.errors ?? {}
  return (
    <section className={classes.cell} aria-label={t('cell', { letter })} data-baseline={isBaseline || undefined}>
      <header className={classes.head}>
        <h2 className={classes.letter}>{letter}</h2>
        {cell.key === null ? (
          <span className={classes.name}>
            {name} <small>{t('finishedRun')}</small>
          </span>
        ) : (
          <NativeSelect
            className={classes.app}
            aria-label={t('app', { letter })}
            value={cell.key}
            data={toAppOptions(workspaces, app ? null : { id: cell.key, label: cell.key.slice(0, 8) })}
            disabled={!actions}
            onChange={(event) => actions?.onApp(event.currentTarget.value)}
          />
        )}
        {position ? (
          <Text maw={90} c="var(--text-3)" fz="xs" truncate>
            {position}
          </Text>
        ) : null}
        {isBaseline ? (
          <Box
            px="xs"
            bd="1px solid var(--primary-line)"
            bdrs="sm"
            bg="var(--primary-tint)"
            c="var(--primary-text)"
            fz="xs"
          >
            {t('baseline')}
          </Box>
        ) : actions ? (
          <CellButton
            label={t('makeBaseline', { letter })}
            onClick={actions.onBaseline}
            icon={<IconTargetArrow size={15} />}
          />
        ) : null}
        {actions && cell.key !== null && cell.own === null ? (
          <CellButton
            label={t('ownAsked')}
            onClick={() => actions.onOverride({})}
            icon={<IconMessageQuestion size={15} />}
          />
        ) : null}
        {actions ? <CellMenu app={app} letter={letter} actions={actions} /> : null}
      </header>
      {app && actions ? <CellVersion app={app} cell={cell} onVersion={actions.onVersion} /> : null}
      {cell.own && app ? (
        <details className={classes.own} open={Object.keys(errors).length > 0 || !hasRounds || undefined}>
          <summary>
            {t('ownShort')}
            {cell.own.query ? <q>{truncateText(cell.own.query, 120)}</q> : null}
          </summary>
          <Stack gap="sm" py="xs" role="group" aria-label={t('askedOwn', { letter })}>
            <DisabledFieldset isDisabled={!actions}>
              <SavedInputs
                workspace={app.workspace.id}
                app={app.key.id}
                onInput={(override) => actions?.onOverride(override)}
              />
              <BoardInputFields
                forms={[app.form]}
                input={cell.own}
                onInput={(override) => actions?.onOverride(override)}
                errors={errors}
                upload={upload}
              />
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                style={{ alignSelf: 'start' }}
                onClick={() => actions?.onOverride(null)}
              >
                {t('sameAsAll')}
              </Button>
            </DisabledFieldset>
          </Stack>
        </details>
      ) : null}
      {cell.key !== null && !app && !isHidden ? (
        <Text px="md" pt="sm" c="dimmed" fz="sm">
          {t('keyDeleted')}
        </Text>
      ) : null}
      {app?.problem ? (
        <Text px="md" pt="sm" c="dimmed" fz="sm">
          {t('noParameters', { reason: app.problem.message })}
        </Text>
      ) : null}
      {invalidRequest ? (
        <Box component="ul" role="alert" {...ERROR_LIST}>
          {invalidRequest.missing ? <li>{t(invalidRequest.missing)}</li> : null}
          {Object.entries(errors).map(([variable, error]) => (
            <li key={variable}>{formatFieldError(formatError, error)}</li>
          ))}
        </Box>
      ) : null}
      <div className={classes.body} tabIndex={0} role="region" aria-label={t('answerOf', { letter })}>
        {children}
      </div>
    </section>
  )
}

function CellVersion({ app, cell, onVersion }: { app: CellApp; cell: BoardCell; onVersion: CellActions['onVersion'] }) {
  const version = {
    canPin: useCanPinVersion(app.key),
    workflow_id: cell.workflow_id ?? null,
    setWorkflowId: onVersion,
  }
  return version.canPin ? (
    <Box px="md" pt="xs">
      <VersionSelect app={app.key.id} version={version} isCompact />
    </Box>
  ) : null
}

function CellButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

export interface CellMenuActions {
  onCopy: (() => void) | null
  /** Adds a cell for each version or saved input; null for a finished run and on a full board. */
  spread: { freeCells: number; add: (variants: CellVariant[]) => void } | null
  onRemove: () => void
}

export interface CellMenuProps {
  app: CellApp | null
  letter: string
  actions: CellMenuActions
}

/** What is done with a cell less often: more cells like it, and its removal. */
export function CellMenu({ app, letter, actions: { onCopy, spread, onRemove } }: CellMenuProps) {
  const t = useMessages(boardMessages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon aria-label={t('moreFor', { name: letter })}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onCopy ? <Menu.Item onClick={onCopy}>{t('copyCell', { letter })}</Menu.Item> : null}
        {app && spread ? <SpreadItems app={app} isOpen={isOpen} spread={spread} /> : null}
        {onCopy ? <Menu.Divider /> : null}
        <Menu.Item onClick={onRemove}>{t('removeCell', { letter })}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface SpreadItemsProps {
  app: CellApp
  /** Data is loaded only while the menu is open. */
  isOpen: boolean
  spread: NonNullable<CellMenuActions['spread']>
}

/** Adds a cell for each version of an app, or for each of its saved inputs: what differs is the axis of the board. */
function SpreadItems({ app, isOpen, spread }: SpreadItemsProps) {
  const t = useMessages(boardMessages)
  const canPin = useCanPinVersion(app.key)
  const versionsRead = useRead(
    runInsightEndpoints.listVersions,
    { query: { key: app.key.id } },
    { enabled: isOpen && canPin },
  )
  const setsRead = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'input_set', workspace: app.workspace.id, about: app.key.id } },
    { enabled: isOpen },
  )
  const versions = (versionsRead.data?.data ?? []).map(({ workflow_id }): CellVariant => ({ workflow_id }))
  const sets = (setsRead.data?.data ?? []).map(({ value }): CellVariant => ({ own: toBoardInput(value) }))
  return (
    <>
      <Menu.Label>{t('spreadRoom', { count: spread.freeCells })}</Menu.Label>
      {canPin ? (
        <Menu.Item disabled={versions.length === 0} onClick={() => spread.add(versions)}>
          {t('spreadVersions', { count: versions.length })}
        </Menu.Item>
      ) : null}
      <Menu.Item disabled={sets.length === 0} onClick={() => spread.add(sets)}>
        {t('spreadInputs', { count: sets.length })}
      </Menu.Item>
    </>
  )
}

const ERROR_LIST = {
  pt: 'sm',
  pr: 'md',
  pl: 28,
  c: 'var(--failed-fg)',
  fz: 'sm',
  style: { listStyle: 'revert' },
} as const
