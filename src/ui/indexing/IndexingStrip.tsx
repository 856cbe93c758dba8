import { ActionIcon } from '@mantine/core'
import { IconPlugConnectedX, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { DocumentRecord } from '#contract/records.ts'
import { Tooltip } from '../Tooltip.tsx'
import { stalledFor } from './pace.ts'
import { Steps } from './Steps.tsx'
import classes from './Steps.module.css'
import { useWatch } from './useWatch.ts'

export interface IndexingStripProps {
  documents: readonly DocumentRecord[]
  /** When they were read, milliseconds since 1970. */
  at: number
  /** Under which what was seen is kept: a dataset's id. */
  name: string
}

/** What is being indexed while this page looks on, each document until it is put away. */
export function IndexingStrip({ documents, at, name: kept }: IndexingStripProps) {
  const t = useTranslations('indexing')
  const { watch, usual } = useWatch(`indexing.${kept}`, documents, at)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const shown = watch.documents.filter(({ id }) => !hidden.includes(id))
  if (shown.length === 0) return null
  return (
    <section className={classes.list} aria-label={t('indexing')}>
      {shown.map((watched) => {
        const name = watched.name ?? t('unnamed')
        const still = stalledFor(watched, usual, watched.at)
        return (
          <div key={watched.id} className={classes.item}>
            <b>{name}</b>
            <Steps watched={watched} />
            <Tooltip label={t('hide', { name })}>
              <ActionIcon size={24} aria-label={t('hide', { name })} onClick={() => setHidden([...hidden, watched.id])}>
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
            {still === null ? null : (
              <p className={classes.stalled}>
                <IconPlugConnectedX size={14} aria-hidden="true" />
                {t('noChange', { time: spoken(still) })}{' '}
                {usual === null ? t('usualUnknown') : t('usual', { time: spoken(usual) })}
              </p>
            )}
            {watched.error ? <p className={classes.error}>{t('documentError', { error: watched.error })}</p> : null}
          </div>
        )
      })}
    </section>
  )
}

const spoken = (ms: number): string => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)
