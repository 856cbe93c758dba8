import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'

export interface ThoughtBlockProps {
  /** It may still grow. */
  isOpen: boolean
  /** Unfolds it, because it contains the highlighted text. */
  isExpanded: boolean
  children: ReactNode
}

/** What a model wrote between `<think>` tags, folded. */
export function ThoughtBlock({ isOpen, isExpanded, children }: ThoughtBlockProps) {
  const t = useMessages(markdownMessages)
  return (
    <details className={classes.thought} open={isExpanded || undefined}>
      <summary>{isOpen ? t('thinking') : t('thought')}</summary>
      {children}
    </details>
  )
}
