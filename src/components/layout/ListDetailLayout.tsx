import { Box, Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
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
    <Flex h="100%" miw={0}>
      <Flex direction="column" flex={1} miw={0} h="100%">
        {header}
        {problem ? (
          <Box maw={720} p="lg">
            <ProblemAlert problem={problem} action={action} onRetry={onRetry}>
              {problem.kind === 'invalid' ? clearFilters : null}
            </ProblemAlert>
          </Box>
        ) : null}
        {hasNoWorkspace ? <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState> : null}
        {rows ? (
          <Flex direction="column" flex={1} mih={0} opacity={isStale ? 0.6 : 1} style={{ overflowY: 'auto' }}>
            {rows}
          </Flex>
        ) : null}
        {children}
      </Flex>
      {detail}
    </Flex>
  )
}
