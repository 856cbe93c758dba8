import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Branches.module.css'
import { chatWords } from './messages.ts'

export interface BranchesProps {
  /** The runs of the turn, oldest first, and the one that is shown. */
  runs: readonly string[]
  shown: string
  onBranch: (run_id: string) => void
}

/** Which of the tries of a turn is shown, and the ways to the one before and the one after it. */
export function Branches({ runs, shown, onBranch }: BranchesProps) {
  const t = useWords(chatWords)
  const at = runs.indexOf(shown)
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const run_id = runs[to]
    return (
      <Tooltip label={label}>
        <ActionIcon
          aria-label={label}
          // Focus stays on the arrow at the last branch, where a disabled button would lose it.
          aria-disabled={run_id === undefined}
          data-disabled={run_id === undefined || undefined}
          onClick={() => (run_id === undefined ? undefined : onBranch(run_id))}
        >
          <Icon size={16} />
        </ActionIcon>
      </Tooltip>
    )
  }
  return (
    <div className={classes.branches} role="group" aria-label={t('branches')}>
      {step(at - 1, t('branchBefore'), IconChevronLeft)}
      <span className={classes.count} role="status">
        {t('branch', { number: at + 1, count: runs.length })}
      </span>
      {step(at + 1, t('branchAfter'), IconChevronRight)}
      <span className={classes.note}>{t('branchesWhy', { count: runs.length })}</span>
    </div>
  )
}
