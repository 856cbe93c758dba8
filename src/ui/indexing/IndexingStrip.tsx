import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Tooltip } from '../Tooltip.tsx'
import type { DocumentRecord } from '#contract/records.ts'
import { Steps } from './Steps.tsx'
import classes from './Steps.module.css'
import { look, nothingWatched } from './steps.ts'

/** What is being indexed while this page looks on, each document until it is put away. `at` is when `documents` were read. */
export function IndexingStrip({ documents, at }: { documents: readonly DocumentRecord[]; at: number }) {
  const t = useTranslations('indexing')
  const [watch, setWatch] = useState(nothingWatched)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const looked = look(watch, documents, at)
  if (looked !== watch) setWatch(looked)
  const shown = looked.documents.filter(({ id }) => !hidden.includes(id))
  if (shown.length === 0) return null
  return (
    <section className={classes.list} aria-label={t('indexing')}>
      {shown.map((watched) => {
        const name = watched.name ?? t('unnamed')
        return (
          <div key={watched.id} className={classes.item}>
            <b>{name}</b>
            <Steps watched={watched} />
            <Tooltip label={t('hide', { name })}>
              <ActionIcon size={24} aria-label={t('hide', { name })} onClick={() => setHidden([...hidden, watched.id])}>
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
            {watched.error ? <p className={classes.error}>{t('documentError', { error: watched.error })}</p> : null}
          </div>
        )
      })}
    </section>
  )
}
