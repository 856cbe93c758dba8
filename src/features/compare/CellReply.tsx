import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { ENTRIES, STOPS } from '../../run/entries.ts'
import { Reply } from '../../run/Reply.tsx'
import { StopRun } from '../../run/StopRun.tsx'
import { AskPlatform } from '../../run/timeline/AskPlatform.tsx'
import { isOver, type Turn, turnOf } from '../../run/turn.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import { runs, useRun } from '../../wire/useRun.ts'
import classes from './Board.module.css'
import type { CellApp } from './cellApp.ts'
import { CellDiff } from './CellDiff.tsx'
import { compareWords } from './messages.ts'
import { conductor } from './rounds.ts'

export interface CellReplyProps {
  /** The round that is shown. */
  run_id: string
  entry: Run['entry']
  row: Run | null
  problem: Problem | null
  app: CellApp | null
  /** The workspace in which its sources open. */
  workspace: string
  waits: boolean
  /** Whether the board shows how this one differs; null for the baseline. */
  baseline: { letter: string; turn: Turn | null } | null
  source: number | null
  onInspect: (run_id: string, part?: { source?: number; node?: string }) => void
  /** Null where this app cannot be asked any more. */
  onAgain: ((question: Turn['question']) => void) | null
  onRest: (() => void) | null
}

/** What came of one round, live or from the record; or what it has in place of the baseline's answer. */
export function CellReply(props: CellReplyProps) {
  const { run_id, entry, row, problem, app, workspace, waits, baseline, source, onInspect, onAgain, onRest } = props
  const t = useWords(compareWords)
  const navigate = useNavigate()
  const view = useRun(ENTRIES[entry], run_id, row !== null && isLive(row.status))
  const turn = turnOf(row, view)
  if (waits) return <p className={classes.note}>{t('waits')}</p>
  if (!turn && problem?.status === 404)
    return (
      <div className={classes.unsent}>
        <p className={classes.note}>{app ? t('notSent') : t('noRun', { id: run_id.slice(0, 8) })}</p>
        {onRest ? (
          <Button variant="default" data-once leftSection={<IconSend size={14} />} onClick={onRest}>
            {t('sendRest')}
          </Button>
        ) : null}
      </div>
    )
  if (!turn && problem) return <ProblemNote problem={problem} what={t('readRun', { id: run_id.slice(0, 8) })} />
  if (!turn) return <SkeletonRows rows={3} height={48} />
  const open = (
    <Link className={classes.open} to={paths.run(run_id, { workspace })}>
      {t('openRun')}
    </Link>
  )
  if (baseline && isOver(turn) && hasAnswer(turn))
    return (
      <>
        <CellDiff baseline={baseline.turn} letter={baseline.letter} turn={turn} />
        {open}
      </>
    )
  return (
    <>
      <Reply
        key={run_id}
        turn={turn}
        workspace={workspace}
        source={source}
        onCite={(position) => onInspect(run_id, { source: position })}
        onInspect={() => onInspect(run_id)}
        onNode={(node) => onInspect(run_id, { node })}
        // A finished run is made anew on its own page.
        onSendAgain={() =>
          onAgain ? onAgain(turn.question) : void navigate(paths.run(run_id, { workspace, replay: '1' }))
        }
        onGiveUp={() => {
          runs.forget(run_id)
          conductor.hold([run_id])
        }}
        ask={app ? <AskPlatform turn={turn} app={app.key} /> : null}
        stop={
          app ? (
            <StopRun
              app={app.key}
              by={STOPS[turn.entry]}
              task_id={turn.answer.task_id}
              user={turn.question.user}
              key={run_id}
            />
          ) : null
        }
      />
      {isOver(turn) ? open : null}
    </>
  )
}

const hasAnswer = ({ answer }: Turn): boolean => answer.text !== '' || answer.run.outputs !== null
