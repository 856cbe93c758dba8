import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import classes from './Desk.module.css'
import { Empty } from './Empty.tsx'
import { uiWords } from './messages.ts'
import { ProblemNote } from './ProblemNote.tsx'
import { useWords } from './words.ts'

export interface DeskProps {
  /** Why there is no list, and what was tried. */
  problem: Problem | null
  what: string
  onRetry: () => void
  /** Takes the filters away: offered where they are what is refused. */
  clear: ReactNode
  /** There is no workspace whose rows these could be. */
  isHomeless: boolean
  /** What is said above it. */
  above?: ReactNode
  /** Null where there are none; those of another search are `isOld` until the new ones have come. */
  rows: ReactNode
  isOld: boolean
  /** What is opened of the list, beside it. */
  pane: ReactNode
  /** What is said instead of rows, and what goes on to more of them. */
  children: ReactNode
}

/** A list of a workspace, with what is opened of it beside it; or why there is none. */
export function Desk({ problem, what, onRetry, clear, isHomeless, above, rows, isOld, pane, children }: DeskProps) {
  const t = useWords(uiWords)
  return (
    <div className={classes.desk}>
      <div className={classes.main}>
        {above}
        {problem ? (
          <div className={classes.problem}>
            <ProblemNote problem={problem} what={what} onRetry={onRetry}>
              {problem.kind === 'invalid' ? clear : null}
            </ProblemNote>
          </div>
        ) : null}
        {isHomeless ? <Empty title={t('noWorkspace')}>{t('noWorkspaceText')}</Empty> : null}
        {rows ? (
          <div className={classes.list} data-old={isOld || undefined}>
            {rows}
          </div>
        ) : null}
        {children}
      </div>
      {pane}
    </div>
  )
}
