import { Button } from '@mantine/core'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'
import type { Decision, Draft } from './saving.ts'

export interface ConflictProps {
  draft: Draft
  conflict: Extract<Decision, { kind: 'conflict' }>
  onSettle: (content: string, theirs: string) => void
  onTheirs: () => void
}

/** Two edits of one text: what each of them changed, and what both come to where they do not touch. */
export function Conflict({ draft, conflict: { theirs, merged }, onSettle, onTheirs }: ConflictProps) {
  const t = useWords(segmentsWords)
  return (
    <section className={classes.conflict} role="alert" aria-label={t('conflict')}>
      <h3>{t('conflict')}</h3>
      <p>{t('conflictText')}</p>
      <h4>{t('theirs')}</h4>
      <TextDiff before={draft.base} after={theirs} />
      <h4>{t('mine')}</h4>
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
        {merged === null ? null : <Button onClick={() => onSettle(merged, theirs)}>{t('takeBoth')}</Button>}
        <Button variant="default" onClick={onTheirs}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => onSettle(draft.content, theirs)}>
          {t('takeMine')}
        </Button>
      </div>
    </section>
  )
}
