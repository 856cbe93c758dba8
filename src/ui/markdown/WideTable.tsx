import type { ComponentProps } from 'react'
import { useWords } from '../words.ts'
import classes from './Markdown.module.css'
import { markdownWords } from './messages.ts'

/** A table that scrolls inside itself; the page never scrolls sideways. */
export function WideTable({ children }: ComponentProps<'table'>) {
  const t = useWords(markdownWords)
  return (
    <div className={classes.wide} role="group" aria-label={t('table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
