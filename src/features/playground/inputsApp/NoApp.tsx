import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import type { CurrentWorkspace } from '../../../client/useWorkspace.ts'
import classes from './InputsPlayground.module.css'

export interface NoAppProps {
  title: string
  currentWorkspace: CurrentWorkspace
  /** The failed action, for a problem. */
  problemContext: string
  /** What is missing, and why. */
  emptyTitle: string
  emptyText: string
}

/** Replaces a playground while the workspaces load, after an error, or without an app of its kind. */
export function NoApp({
  title,
  currentWorkspace: { isLoading, problem, retry },
  problemContext,
  emptyTitle,
  emptyText,
}: NoAppProps) {
  return (
    <Page title={title}>
      <div className={classes.alone}>
        {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
        {problem ? <ProblemAlert problem={problem} action={problemContext} onRetry={retry} /> : null}
        {!isLoading && !problem ? <EmptyState title={emptyTitle}>{emptyText}</EmptyState> : null}
      </div>
    </Page>
  )
}
