import { Box } from '@mantine/core'
import type { KeyKind } from '#contract/endpoint.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { GrantNote } from '../../../components/layout/GrantNote.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { formatGrants, isBeyondGrants } from '../../../client/grants.ts'
import type { CurrentWorkspace } from '../../../client/useWorkspace.ts'

export interface NoAppProps {
  title: string
  currentWorkspace: CurrentWorkspace
  /** The kinds of keys that the screen works with; omitted where any will do. */
  keyKinds?: readonly KeyKind[]
  /** The failed action, for a problem. */
  problemContext: string
  /** What is missing, and why. */
  emptyTitle: string
  emptyText: string
}

/** Replaces a playground while the workspaces load, after an error, or without an app of its kind. */
export function NoApp({
  title,
  currentWorkspace: { workspace, isLoading, problem, retry },
  keyKinds = [],
  problemContext,
  emptyTitle,
  emptyText,
}: NoAppProps) {
  return (
    <Page title={title}>
      <Box maw={640} mx="auto" px="lg" py={48}>
        {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
        {problem ? <ProblemAlert problem={problem} action={problemContext} onRetry={retry} /> : null}
        {isLoading || problem ? null : workspace && keyKinds.length > 0 && isBeyondGrants(workspace, keyKinds) ? (
          <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
        ) : (
          <EmptyState title={emptyTitle}>{emptyText}</EmptyState>
        )}
      </Box>
    </Page>
  )
}
