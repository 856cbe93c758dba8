import type { ComponentProps } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'

/** A table that scrolls inside itself; the page never scrolls sideways. */
export function ScrollTable({ children, dir }: ComponentProps<'table'>) {
  const t = useMessages(markdownMessages)
  return (
    <div className={classes.wide} dir={dir} role="group" aria-label={t('table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
