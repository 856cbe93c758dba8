import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import type { CurrentWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Playground.module.css'

export interface NoAppProps {
  title: string
  here: CurrentWorkspace
  /** What was tried, for a problem. */
  listing: string
  /** What is not there, and why. */
  missing: string
  why: string
}

/** In place of a playground: the workspaces are still to come, were refused, or hold no app of its kind. */
export function NoApp({ title, here: { isLoading, problem, retry }, listing, missing, why }: NoAppProps) {
  return (
    <Page title={title}>
      <div className={classes.alone}>
        {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
        {problem ? <ProblemNote problem={problem} what={listing} onRetry={retry} /> : null}
        {!isLoading && !problem ? <Empty title={missing}>{why}</Empty> : null}
      </div>
    </Page>
  )
}
