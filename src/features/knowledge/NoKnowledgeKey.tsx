import type { ReactNode } from 'react'
import type { Workspace } from '#contract/console/workspaces.ts'
import { formatGrants, isBeyondGrants } from '../../client/grants.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { GrantNote } from '../../components/layout/GrantNote.tsx'

export interface NoKnowledgeKeyProps {
  workspace: Workspace
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** Replaces content that needs a knowledge key: the person's grants exclude it, or the workspace has none. */
export function NoKnowledgeKey({ workspace, ...emptyState }: NoKnowledgeKeyProps) {
  return isBeyondGrants(workspace, ['knowledge']) ? (
    <GrantNote workspace={workspace.name} grants={formatGrants(workspace)} />
  ) : (
    <EmptyState {...emptyState} />
  )
}
