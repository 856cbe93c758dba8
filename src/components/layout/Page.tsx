import type { ReactNode } from 'react'
import classes from './Page.module.css'

export interface PageProps {
  title: ReactNode
  /** Breadcrumb links before the title. */
  breadcrumbs?: ReactNode
  /** After the title: a count, a badge, an id. */
  titleSuffix?: ReactNode
  actions?: ReactNode
  toolbar?: ReactNode
  totals?: ReactNode
  children: ReactNode
}

/** A page: a header of 52 px, an optional toolbar and totals, and the body, which scrolls independently. */
export function Page({ title, breadcrumbs, titleSuffix, actions, toolbar, totals, children }: PageProps) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        {breadcrumbs ? <span className={classes.crumbs}>{breadcrumbs}</span> : null}
        <h1 className={classes.title}>{title}</h1>
        {titleSuffix}
        <div className={classes.actions}>{actions}</div>
      </header>
      {toolbar ? <div className={classes.toolbar}>{toolbar}</div> : null}
      {totals ? <div className={classes.totals}>{totals}</div> : null}
      <div className={classes.body}>{children}</div>
    </div>
  )
}
