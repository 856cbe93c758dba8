import type { ReactNode } from 'react'
import { useWords } from '../words.ts'
import classes from './Markdown.module.css'
import { markdownWords } from './messages.ts'

export interface ThoughtProps {
  /** It may still grow. */
  open: boolean
  /** Unfolds it: words in it were asked for. */
  shown: boolean
  children: ReactNode
}

/** What a model wrote between `<think>` tags, folded. */
export function Thought({ open, shown, children }: ThoughtProps) {
  const t = useWords(markdownWords)
  return (
    <details className={classes.thought} open={shown || undefined}>
      <summary>{open ? t('thinking') : t('thought')}</summary>
      {children}
    </details>
  )
}
