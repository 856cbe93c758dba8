import { Button } from '@mantine/core'
import { More } from '../../ui/More.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'
import type { useVersions, Version } from './useVersions.ts'

export interface ChildHistoryProps extends ReturnType<typeof useVersions> {
  /** The text as it stands at the platform. */
  current: string
  /** Null for somebody who may not change it. */
  onRestore: ((version: Version) => void) | null
}

/** Every text of the chunk that this console saved or found, with who, when and why, and the way back to it. */
export function ChildHistory({ versions, problem, retry, older, current, onRestore }: ChildHistoryProps) {
  const t = useWords(segmentsWords)
  return (
    <section className={classes.history} aria-label={t('history')}>
      <h3>{t('history')}</h3>
      {problem ? <ProblemNote problem={problem} what={t('historyWhat')} onRetry={retry} /> : null}
      {versions.length === 0 && !older.isLeft ? <p className={classes.note}>{t('noHistory')}</p> : null}
      <ol>
        {versions.map((version) => (
          <li key={version.id} data-ours={version.isOurs || undefined}>
            <div>
              <b>{version.isOurs ? (version.person ?? t('console')) : t('foundBefore')}</b> <Since at={version.at} />
              {version.content === current || !onRestore ? null : (
                <Button variant="subtle" color="gray" onClick={() => onRestore(version)}>
                  {t('restore')}
                </Button>
              )}
            </div>
            {version.note ? <p>{version.note}</p> : null}
            <p className={classes.words}>{version.content}</p>
          </li>
        ))}
      </ol>
      <More {...older} what={t('historyWhat')} />
    </section>
  )
}
