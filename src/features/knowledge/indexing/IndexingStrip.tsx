import { ActionIcon } from '@mantine/core'
import { IconPlugConnectedX, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'
import { getStalledMs } from './indexingDurations.ts'
import { IndexingSteps } from './IndexingSteps.tsx'
import classes from './IndexingSteps.module.css'
import type { WatchedDocument } from './indexingWatch.ts'
import type { IndexingObservation } from './useIndexingWatch.ts'

export interface IndexingStripProps {
  indexing: IndexingObservation
}

/** More would push what they are about off the screen. */
const MAX_SHOWN_DOCUMENTS = 5

/** What is being indexed while this page looks on, each document until it is put away. */
export function IndexingStrip({ indexing: { watch, usualDurationMs } }: IndexingStripProps) {
  const t = useMessages(indexingMessages)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const open = watch.documents.filter(({ id }) => !hidden.includes(id))
  if (open.length === 0) return null
  const isFailedOrStalled = (one: WatchedDocument) =>
    one.error !== null || getStalledMs(one, usualDurationMs, one.observedAt) !== null
  const shown = open
    .toSorted((one, other) => Number(isFailedOrStalled(other)) - Number(isFailedOrStalled(one)))
    .slice(0, MAX_SHOWN_DOCUMENTS)
  return (
    <section className={classes.list} aria-label={t('indexing')}>
      {shown.map((watched) => {
        const name = watched.name ?? t('nameNotGiven')
        const stalledMs = getStalledMs(watched, usualDurationMs, watched.observedAt)
        return (
          <div key={watched.id} className={classes.item}>
            <b>{name}</b>
            <IndexingSteps watched={watched} />
            <Tooltip label={t('hide', { name })}>
              <ActionIcon size={24} aria-label={t('hide', { name })} onClick={() => setHidden([...hidden, watched.id])}>
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
            {stalledMs === null ? null : (
              <p className={classes.stalled}>
                <IconPlugConnectedX size={14} aria-hidden="true" />
                {t('noChange', { time: formatDurationMs(stalledMs) })}{' '}
                {usualDurationMs === null ? t('usualUnknown') : t('usual', { time: formatDurationMs(usualDurationMs) })}
              </p>
            )}
            {watched.error ? <p className={classes.error}>{t('platformError', { error: watched.error })}</p> : null}
          </div>
        )
      })}
      {open.length > shown.length ? (
        <p className={classes.rest}>{t('rest', { n: open.length - shown.length })}</p>
      ) : null}
    </section>
  )
}

const formatDurationMs = (ms: number): string =>
  ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
