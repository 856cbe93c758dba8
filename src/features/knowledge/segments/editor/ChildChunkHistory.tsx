import { Button } from '@mantine/core'
import { LoadMore } from '../../../../components/data/LoadMore.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './Editor.module.css'
import { segmentMessages } from '../messages.ts'
import type { useChildChunkVersions, ChildChunkVersion } from './useChildChunkVersions.ts'

export interface ChildChunkHistoryProps extends ReturnType<typeof useChildChunkVersions> {
  /** The text as it stands at the platform. */
  current: string
  /** Null for somebody who may not change it. */
  onRestore: ((version: ChildChunkVersion) => void) | null
}

/** Every text of the chunk that this console saved or found, with who, when and why, and the way back to it. */
export function ChildChunkHistory({ versions, problem, retry, older, current, onRestore }: ChildChunkHistoryProps) {
  const t = useMessages(segmentMessages)
  return (
    <section className={classes.history} aria-label={t('history')}>
      <h3>{t('history')}</h3>
      {problem ? <ProblemAlert problem={problem} action={t('historyWhat')} onRetry={retry} /> : null}
      {versions.length === 0 && !older.hasMore ? <p className={classes.note}>{t('noHistory')}</p> : null}
      <ol>
        {versions.map((version) => (
          <li key={version.id} data-ours={version.isSavedHere || undefined}>
            <div>
              <b>{version.isSavedHere ? (version.person ?? t('console')) : t('foundBefore')}</b>{' '}
              <RelativeTime at={version.at} />
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
      <LoadMore {...older} action={t('historyWhat')} />
    </section>
  )
}
