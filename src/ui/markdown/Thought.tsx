import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import classes from './Markdown.module.css'

/** What a model wrote between `<think>` tags, folded. `open` while it may still grow. */
export function Thought({ open, children }: { open: boolean; children: ReactNode }) {
  const t = useTranslations('markdown')
  return (
    <details className={classes.thought}>
      <summary>{open ? t('thinking') : t('thought')}</summary>
      {children}
    </details>
  )
}
