import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconMessageQuestion, IconTargetArrow } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Workspace } from '#contract/console/workspaces.ts'
import { formatFieldError, type FieldErrors } from '../../runs/inputs/inputFields.ts'
import { inputMessages } from '../../runs/inputs/messages.ts'
import type { UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import { useCanPinVersion } from '../../runs/version/usePinnedVersion.ts'
import { VersionSelect } from '../../runs/version/VersionSelect.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { toAppOptions } from '../appOptions.ts'
import { BoardInputFields } from '../request/BoardInputFields.tsx'
import type { BoardInput, BoardCell } from '../board.ts'
import classes from '../Board.module.css'
import type { CellApp } from './cellApp.ts'
import { boardMessages } from '../messages.ts'
import { CellMenu, type CellMenuActions } from './CellMenu.tsx'
import type { CellRequest } from '../request/cellRequest.ts'
import { SavedInputs } from '../request/SavedInputs.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { truncateText } from '#contract/truncatedText.ts'

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
  /** Why nothing was sent after a click on Run. */
  invalidRequest: CellRequest | null
  /** Null for somebody who may not change the board. */
  actions: CellActions | null
  children: ReactNode
}

/** A cell: its app or run, its own request, and the result. */
export function CellCard(props: CellCardProps) {
  const { cell, letter, isBaseline, app, name, position, workspaces, upload, invalidRequest, actions, children } = props
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
        {position ? <small className={classes.place}>{position}</small> : null}
        {isBaseline ? (
          <span className={classes.mark}>{t('baseline')}</span>
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
        <details className={classes.own} open={Object.keys(errors).length > 0 || cell.runs.length === 0 || undefined}>
          <summary>
            {t('ownShort')}
            {cell.own.query ? <q>{truncateText(cell.own.query, 120)}</q> : null}
          </summary>
          <div className={classes.ownFields} role="group" aria-label={t('askedOwn', { letter })}>
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
              <Button variant="subtle" color="gray" size="compact-xs" onClick={() => actions?.onOverride(null)}>
                {t('sameAsAll')}
              </Button>
            </DisabledFieldset>
          </div>
        </details>
      ) : null}
      {cell.key !== null && !app ? <p className={classes.note}>{t('keyDeleted')}</p> : null}
      {app?.problem ? <p className={classes.note}>{t('noParameters', { reason: app.problem.message })}</p> : null}
      {invalidRequest ? (
        <ul className={classes.faults} role="alert">
          {invalidRequest.missing ? <li>{t(invalidRequest.missing)}</li> : null}
          {Object.entries(errors).map(([variable, error]) => (
            <li key={variable}>{formatFieldError(formatError, error)}</li>
          ))}
        </ul>
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
    <div className={classes.version}>
      <VersionSelect app={app.key.id} version={version} isCompact />
    </div>
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
