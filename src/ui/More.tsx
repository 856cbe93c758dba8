import { Button } from '@mantine/core'
import type { Problem } from '#contract/problem.ts'
import { uiWords } from './messages.ts'
import classes from './Pager.module.css'
import { ProblemNote } from './ProblemNote.tsx'
import { useWords } from './words.ts'

export interface MoreProps {
  /** There are older ones that are not shown. */
  isLeft: boolean
  isBusy: boolean
  onMore: () => void
  /** Why the last try brought none, and what was tried; what is shown stays. */
  problem: Problem | null
  what: string
}

/** Under a history that is read from the newest on: fetches what is older and puts it below. */
export function More({ isLeft, isBusy, onMore, problem, what }: MoreProps) {
  const t = useWords(uiWords)
  if (problem) return <ProblemNote problem={problem} what={what} onRetry={onMore} />
  if (!isLeft) return null
  return (
    <div className={classes.pager}>
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={onMore}>
        {t('older')}
      </Button>
    </div>
  )
}
