import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import classes from './Markdown.module.css'

/** A table that scrolls inside itself; the page never scrolls sideways. */
export function WideTable({ children }: ComponentProps<'table'>) {
  const t = useTranslations('markdown')
  return (
    <div className={classes.wide} role="group" aria-label={t('table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
