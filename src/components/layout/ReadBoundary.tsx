import { Box } from '@mantine/core'
import type { FetchStatus } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { ProblemAlert } from './ProblemAlert.tsx'
import { SkeletonRows } from './SkeletonRows.tsx'

export interface ReadBoundaryProps<Reply> {
  /** From `useRead`. Nothing is shown while it is not enabled. */
  read: { data: Reply | undefined; error: ProblemError | null; fetchStatus: FetchStatus; refetch: () => unknown }
  /** What is read, for a refusal: "list the documents". */
  action: string
  /** Shown until there is a reply; default: `SkeletonRows`. */
  loading?: ReactNode
  /** If the resource does not exist, or its id cannot exist. */
  notFound?: ReactNode
  /** If there is nothing to show, as `isEmpty` says. */
  empty?: ReactNode
  isEmpty?: (reply: Reply) => boolean
  /** Next to Retry. */
  problemActions?: ReactNode
  /** Keeps a refusal off the edges of a page or pane without padding. */
  isInset?: boolean
  children: (reply: Reply) => ReactNode
}

/**
 * The states of a read: loading, refused, empty, and its reply. The last reply stays while it is read again; if that
 * fails, the refusal is above it.
 */
export function ReadBoundary<Reply>(props: ReadBoundaryProps<Reply>) {
  const {
    read,
    action,
    loading = <SkeletonRows />,
    notFound,
    empty,
    isEmpty,
    problemActions,
    isInset,
    children,
  } = props
  const { data, error, fetchStatus, refetch } = read
  const isMissing = error?.problem.status === 404 || error?.problem.status === 400
  if (data === undefined && isMissing && notFound !== undefined) return notFound
  return (
    <>
      {error ? (
        <Box p={isInset ? 'lg' : 0}>
          <ProblemAlert problem={error.problem} action={action} onRetry={() => void refetch()}>
            {problemActions}
          </ProblemAlert>
        </Box>
      ) : null}
      {data === undefined && !error && fetchStatus !== 'idle' ? loading : null}
      {data === undefined ? null : isEmpty?.(data) ? empty : children(data)}
    </>
  )
}
