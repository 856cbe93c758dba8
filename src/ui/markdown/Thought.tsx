import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import classes from './Markdown.module.css'

export interface ThoughtProps {
  /** It may still grow. */
  open: boolean
  /** Unfolds it: words in it were asked for. */
  shown: boolean
  children: ReactNode
}

/** What a model wrote between `<think>` tags, folded. */
export function Thought({ open, shown, children }: ThoughtProps) {
  const t = useTranslations('markdown')
  return (
    <details className={classes.thought} open={shown || undefined}>
      <summary>{open ? t('thinking') : t('thought')}</summary>
      {children}
    </details>
  )
}
