import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import classes from './ListDetailLayout.module.css'
import { EmptyState } from './EmptyState.tsx'
import { componentMessages } from '../i18n/messages.ts'
import { ProblemAlert } from './ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface ListDetailLayoutProps {
  /** Why there is no list, and what was tried. */
  problem: Problem | null
  action: string
  onRetry: () => void
  /** Takes the filters away: offered where they are what is refused. */
  clearFilters: ReactNode
  /** There is no workspace whose rows these could be. */
  hasNoWorkspace: boolean
  /** What is said above it. */
  header?: ReactNode
  /** Null where there are none; those of another search are `isOld` until the new ones have come. */
  rows: ReactNode
  isStale: boolean
  /** What is opened of the list, beside it. */
  detail: ReactNode
  /** What is said instead of rows, and what goes on to more of them. */
  children: ReactNode
}

/** A list of a workspace, with what is opened of it beside it; or why there is none. */
export function ListDetailLayout({
  problem,
  action,
  onRetry,
  clearFilters,
  hasNoWorkspace,
  header,
  rows,
  isStale,
  detail,
  children,
}: ListDetailLayoutProps) {
  const t = useMessages(componentMessages)
  return (
    <div className={classes.desk}>
      <div className={classes.main}>
        {header}
        {problem ? (
          <div className={classes.problem}>
            <ProblemAlert problem={problem} action={action} onRetry={onRetry}>
              {problem.kind === 'invalid' ? clearFilters : null}
            </ProblemAlert>
          </div>
        ) : null}
        {hasNoWorkspace ? <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState> : null}
        {rows ? (
          <div className={classes.list} data-old={isStale || undefined}>
            {rows}
          </div>
        ) : null}
        {children}
      </div>
      {detail}
    </div>
  )
}
