import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconCopyPlus, IconMessageQuestion, IconTargetArrow, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Workspace } from '#contract/console.ts'
import { faultWords } from '../../run/faultWords.ts'
import type { Faults } from '../../run/inputs.ts'
import { runWords } from '../../run/messages.ts'
import type { UploadTarget } from '../../run/useUpload.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { appChoices } from './apps.ts'
import { AskedFields } from './AskedFields.tsx'
import type { Asked, Cell } from './board.ts'
import classes from './Board.module.css'
import type { CellApp } from './cellApp.ts'
import { compareWords } from './messages.ts'
import type { Request } from './request.ts'
import { SavedInputs } from './SavedInputs.tsx'
import { Locked } from '../../ui/fields/Locked.tsx'

export interface CellDeeds {
  onApp: (key: string) => void
  onBaseline: () => void
  onCopy: (() => void) | null
  onOwn: (own: Partial<Asked> | null) => void
  onRemove: () => void
}

export interface CellCardProps {
  cell: Cell
  letter: string
  isBaseline: boolean
  app: CellApp | null
  /** What a finished run is called here: its app's name. */
  name: string
  /** The workspace of its app, where the cells are of more than one. */
  place: string | null
  workspaces: readonly Workspace[]
  upload: UploadTarget | null
  /** Why nothing was sent, after a press of Run. */
  refused: Request | null
  /** Null for somebody who may not change the board. */
  deeds: CellDeeds | null
  children: ReactNode
}

/** A place on the board: which app or run stands in it, what it alone is asked, and what came of it. */
export function CellCard(props: CellCardProps) {
  const { cell, letter, isBaseline, app, name, place, workspaces, upload, refused, deeds, children } = props
  const t = useWords(compareWords)
  const say = useWords(runWords)
  const faults: Faults = refused?.faults ?? {}
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
            data={appChoices(workspaces, app ? null : { id: cell.key, label: cell.key.slice(0, 8) })}
            disabled={!deeds}
            onChange={(event) => deeds?.onApp(event.currentTarget.value)}
          />
        )}
        {place ? <small className={classes.place}>{place}</small> : null}
        {isBaseline ? (
          <span className={classes.mark}>{t('baseline')}</span>
        ) : deeds ? (
          <Tool label={t('makeBaseline', { letter })} onClick={deeds.onBaseline} icon={<IconTargetArrow size={15} />} />
        ) : null}
        {deeds && cell.key !== null && cell.own === null ? (
          <Tool label={t('ownAsked')} onClick={() => deeds.onOwn({})} icon={<IconMessageQuestion size={15} />} />
        ) : null}
        {deeds?.onCopy ? (
          <Tool label={t('copyCell', { letter })} onClick={deeds.onCopy} icon={<IconCopyPlus size={15} />} />
        ) : null}
        {deeds ? (
          <Tool label={t('removeCell', { letter })} onClick={deeds.onRemove} icon={<IconX size={15} />} />
        ) : null}
      </header>
      {cell.own && app ? (
        <details className={classes.own} open={Object.keys(faults).length > 0 || cell.runs.length === 0 || undefined}>
          <summary>
            {t('ownShort')}
            {cell.own.query ? <q>{cell.own.query.slice(0, 120)}</q> : null}
          </summary>
          <div className={classes.ownFields} role="group" aria-label={t('askedOwn', { letter })}>
            <Locked when={!deeds}>
              <SavedInputs workspace={app.workspace.id} app={app.key.id} onAsked={(own) => deeds?.onOwn(own)} />
              <AskedFields
                forms={[app.form]}
                asked={cell.own}
                onAsked={(own) => deeds?.onOwn(own)}
                faults={faults}
                upload={upload}
              />
              <Button variant="subtle" color="gray" size="compact-xs" onClick={() => deeds?.onOwn(null)}>
                {t('likeAll')}
              </Button>
            </Locked>
          </div>
        </details>
      ) : null}
      {cell.key !== null && !app ? <p className={classes.note}>{t('keyGone')}</p> : null}
      {app?.problem ? <p className={classes.note}>{t('noParameters', { reason: app.problem.message })}</p> : null}
      {refused ? (
        <ul className={classes.faults} role="alert">
          {refused.lack ? <li>{t(refused.lack)}</li> : null}
          {Object.entries(faults).map(([variable, fault]) => (
            <li key={variable}>{faultWords(say, fault)}</li>
          ))}
        </ul>
      ) : null}
      <div className={classes.body} tabIndex={0} role="region" aria-label={t('answerOf', { letter })}>
        {children}
      </div>
    </section>
  )
}

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
