import { Button } from '@mantine/core'
import type { Problem } from '#contract/problem.ts'
import { pagerMessages } from './pagerMessages.ts'
import classes from './Pager.module.css'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface LoadMoreProps {
  /** There are older entries to load. */
  hasMore: boolean
  isBusy: boolean
  onLoadMore: () => void
  /** Why the last request failed; the loaded entries stay. */
  problem: Problem | null
  action: string
}

/** Ends a history that starts with the newest entry: loads older entries and appends them. */
export function LoadMore({ hasMore, isBusy, onLoadMore, problem, action }: LoadMoreProps) {
  const t = useMessages(pagerMessages)
  if (problem) return <ProblemAlert problem={problem} action={action} onRetry={onLoadMore} />
  if (!hasMore) return null
  return (
    <div className={classes.pager}>
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={onLoadMore}>
        {t('older')}
      </Button>
    </div>
  )
}
