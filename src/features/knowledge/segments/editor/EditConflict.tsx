import { Button } from '@mantine/core'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './Editor.module.css'
import { segmentMessages } from '../messages.ts'
import type { SaveDecision, TextDraft, FieldVersions } from './editConflict.ts'

interface TextConflictProps {
  draft: TextDraft
  conflict: Extract<SaveDecision, { kind: 'conflict' }>
  onResolve: (content: string, theirs: string) => void
  onTakeTheirs: () => void
}

/** A merge conflict: both edits of a text, and the merged text if they do not overlap. */
export function TextConflict({ draft, conflict: { theirs, merged }, onResolve, onTakeTheirs }: TextConflictProps) {
  const t = useMessages(segmentMessages)
  return (
    <section className={classes.conflict} role="alert" aria-label={t('conflict')}>
      <h3>{t('conflict')}</h3>
      <p>{t('conflictText')}</p>
      <h4>{t('theirVersion')}</h4>
      <TextDiff before={draft.base} after={theirs} />
      <h4>{t('ownVersion')}</h4>
      <TextDiff before={draft.base} after={draft.content} />
      {merged === null ? (
        <p>{t('noMerge')}</p>
      ) : (
        <>
          <h4>{t('both')}</h4>
          <TextDiff before={theirs} after={merged} />
        </>
      )}
      <div className={classes.buttons}>
        {merged === null ? null : <Button onClick={() => onResolve(merged, theirs)}>{t('takeBoth')}</Button>}
        <Button variant="default" onClick={onTakeTheirs}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => onResolve(draft.content, theirs)}>
          {t('takeMine')}
        </Button>
      </div>
    </section>
  )
}

interface FieldConflictProps extends FieldVersions {
  /** The field's name on the wire. */
  name: string
  /** The value to go on with. */
  onResolve: (value: string) => void
}

/** A field beside the text that two people have changed: both changes, and the choice between them. */
export function FieldConflict({ name, base, mine, theirs, onResolve }: FieldConflictProps) {
  const t = useMessages(segmentMessages)
  return (
    <section className={classes.conflict} role="alert" aria-label={t('sideConflict', { name })}>
      <h3>{t('sideConflict', { name })}</h3>
      <p>{t('conflictText')}</p>
      <h4>{t('theirVersion')}</h4>
      <TextDiff before={base} after={theirs} />
      <h4>{t('ownVersion')}</h4>
      <TextDiff before={base} after={mine} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onResolve(theirs)}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => onResolve(mine)}>
          {t('takeMine')}
        </Button>
      </div>
    </section>
  )
}
