import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './BranchPager.module.css'
import { chatMessages } from '../messages.ts'

export interface BranchPagerProps {
  /** The runs of the turn, oldest first, and the selected one. */
  runs: readonly string[]
  selected: string
  onBranch: (run_id: string) => void
}

/** The selected branch of a turn, with previous and next buttons. */
export function BranchPager({ runs, selected, onBranch }: BranchPagerProps) {
  const t = useMessages(chatMessages)
  const selectedIndex = runs.indexOf(selected)
  const renderStep = (to: number, label: string, Icon: typeof IconChevronLeft) => {
    const run_id = runs[to]
    return (
      <Tooltip label={label}>
        <ActionIcon
          aria-label={label}
          // Keep the focus on the arrow at the last branch; a disabled button would lose it.
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
      {renderStep(selectedIndex - 1, t('branchBefore'), IconChevronLeft)}
      <span className={classes.count} role="status">
        {t('branch', { number: selectedIndex + 1, count: runs.length })}
      </span>
      {renderStep(selectedIndex + 1, t('branchAfter'), IconChevronRight)}
      <span className={classes.note}>{t('branchesWhy', { count: runs.length })}</span>
    </div>
  )
}
