import { Button } from '@mantine/core'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'
import type { Side } from './saving.ts'

export interface SideConflictProps extends Side {
  /** The field's name on the wire. */
  name: string
  /** The value to go on with. */
  onEnd: (value: string) => void
}

/** A field beside the text that two people have changed: both changes, and the choice between them. */
export function SideConflict({ name, base, mine, theirs, onEnd }: SideConflictProps) {
  const t = useWords(segmentsWords)
  return (
    <section className={classes.conflict} role="alert" aria-label={t('sideConflict', { name })}>
      <h3>{t('sideConflict', { name })}</h3>
      <p>{t('conflictText')}</p>
      <h4>{t('theirs')}</h4>
      <TextDiff before={base} after={theirs} />
      <h4>{t('mine')}</h4>
      <TextDiff before={base} after={mine} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onEnd(theirs)}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => onEnd(mine)}>
          {t('takeMine')}
        </Button>
      </div>
    </section>
  )
}
