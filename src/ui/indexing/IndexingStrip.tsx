import { ActionIcon } from '@mantine/core'
import { IconPlugConnectedX, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Tooltip } from '../Tooltip.tsx'
import { useWords } from '../words.ts'
import { indexingWords } from './messages.ts'
import { stalledFor } from './pace.ts'
import { Steps } from './Steps.tsx'
import classes from './Steps.module.css'
import type { Watched } from './steps.ts'
import type { Watching } from './useWatch.ts'

export interface IndexingStripProps {
  watched: Watching
}

/** More would push what they are about off the screen. */
const SHOWN = 5

/** What is being indexed while this page looks on, each document until it is put away. */
export function IndexingStrip({ watched: { watch, usual } }: IndexingStripProps) {
  const t = useWords(indexingWords)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const open = watch.documents.filter(({ id }) => !hidden.includes(id))
  if (open.length === 0) return null
  const needsEyes = (one: Watched) => one.error !== null || stalledFor(one, usual, one.at) !== null
  const shown = open.toSorted((one, other) => Number(needsEyes(other)) - Number(needsEyes(one))).slice(0, SHOWN)
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
      {open.length > shown.length ? (
        <p className={classes.rest}>{t('rest', { n: open.length - shown.length })}</p>
      ) : null}
    </section>
  )
}

const spoken = (ms: number): string => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)
