import { IconChevronUp, IconListSearch } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import classes from './InspectorBar.module.css'
import type { Turn } from './turn.ts'

/** On a small screen the way to the inspector, with what is in it. */
export function InspectorBar({ turn, onOpen }: { turn: Turn | null; onOpen: () => void }) {
  const t = useTranslations('run')
  return (
    <button type="button" className={classes.bar} onClick={onOpen}>
      <IconListSearch size={17} aria-hidden />
      <b>{t('inspector')}</b>
      <span>{t('barSources', { count: turn?.answer.sources.length ?? 0 })}</span>
      <IconChevronUp size={17} aria-hidden />
    </button>
  )
}
