import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import classes from './ListDetailLayout.module.css'
import { EmptyState } from './EmptyState.tsx'
import { componentMessages } from '../i18n/messages.ts'
import { ProblemAlert } from './ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface ListDetailLayoutProps {
  /** Why the list failed to load. */
  problem: Problem | null
  action: string
  onRetry: () => void
  /** Removes the filters: offered if they caused the failure. */
  clearFilters: ReactNode
  /** True without a workspace to read the rows from. */
  hasNoWorkspace: boolean
  /** Shown above the list. */
  header?: ReactNode
  /** Null if there are none; rows of an earlier search are `isOld` until the new ones have loaded. */
  rows: ReactNode
  isStale: boolean
  /** The open item, next to the list. */
  detail: ReactNode
  /** The empty state and the pagination. */
  children: ReactNode
}

/** The list of a workspace with the open item next to it, or an error. */
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
