import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import classes from './EmptyState.module.css'

/** An empty state: what is missing and why, and the first step. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <div className={classes.ghosts} aria-hidden="true">
        <i />
        <i />
        <i />
        <Logo size={40} />
      </div>
      <strong>{title}</strong>
      {children ? <p>{children}</p> : null}
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  )
}
