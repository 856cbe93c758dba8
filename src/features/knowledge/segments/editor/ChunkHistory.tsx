import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoadMore } from '../../../../components/data/LoadMore.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import {
  type ChunkChange,
  type ChunkVersion,
  hasSameText,
  summarizeTextChange,
  type useChunkVersions,
} from './chunkVersions.ts'
import classes from './Editor.module.css'
import { segmentMessages } from '../messages.ts'

export interface ChunkHistoryProps extends ReturnType<typeof useChunkVersions> {
  /** The text as it stands at the platform. */
  current: Pick<ChunkVersion, 'content' | 'answer'>
  /** Null for somebody who may not change it. */
  onRestore: ((version: ChunkVersion) => void) | null
}

/** Every text of the chunk that this console saved or found: who, when and why, what it changed, and the way back to it. */
export function ChunkHistory({ versions, problem, retry, older, current, onRestore }: ChunkHistoryProps) {
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
              {hasSameText(version, current) || !onRestore ? null : (
                <Button variant="subtle" color="gray" onClick={() => onRestore(version)}>
                  {t('restore')}
                </Button>
              )}
            </div>
            {version.note ? <p>{version.note}</p> : null}
            <VersionChange version={version} />
          </li>
        ))}
      </ol>
      <LoadMore {...older} action={t('historyWhat')} />
    </section>
  )
}

/** What a version changed; the oldest is shown by its beginning. Its whole text unfolds below. */
function VersionChange({ version }: { version: ChunkChange }) {
  const t = useMessages(segmentMessages)
  const { content, answer, previous } = version
  if (!previous) return <WholeText label={content} version={version} />
  const isAnswerChanged = (previous.answer ?? '') !== (answer ?? '') && previous.answer !== null && answer !== null
  if (previous.content === content && !isAnswerChanged) return <WholeText label={t('sameText')} version={version} />
  const change =
    previous.content === content
      ? summarizeTextChange(previous.answer ?? '', answer ?? '')
      : summarizeTextChange(previous.content, content)
  return (
    <WholeText
      label={
        <>
          {change.before}
          {change.removed ? <del>{change.removed}</del> : null}
          {change.added ? <ins>{change.added}</ins> : null}
          {change.behind}
        </>
      }
      version={version}
    />
  )
}

function WholeText({ label, version: { content, answer } }: { label: ReactNode; version: ChunkVersion }) {
  const t = useMessages(segmentMessages)
  return (
    <>
      <p className={classes.words} dir="auto">
        {label}
      </p>
      <details className={classes.whole}>
        <summary>{t('wholeText')}</summary>
        <p dir="auto">{answer ? `${content}\n\n${answer}` : content}</p>
      </details>
    </>
  )
}
