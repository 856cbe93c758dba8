import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import type { Problem } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { RUN_ENTRIES, STOP_ENTRIES } from '../../runs/runEntries.ts'
import { RunReply } from '../../runs/detail/RunReply.tsx'
import { StopRunButton } from '../../runs/detail/StopRunButton.tsx'
import { AskPlatform } from '../../runs/platformDetail/AskPlatform.tsx'
import { isTurnOver, type Turn, toTurn } from '../../runs/turn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runStore, useRun } from '../../../client/useRun.ts'
import classes from '../Board.module.css'
import type { CellApp } from './cellApp.ts'
import { CellDiff } from './CellDiff.tsx'
import { boardMessages } from '../messages.ts'
import { roundScheduler } from '../rounds/sharedRoundScheduler.ts'

export interface CellReplyProps {
  /** The round that is shown. */
  run_id: string
  entry: Run['entry']
  row: Run | null
  problem: Problem | null
  app: CellApp | null
  /** The workspace in which its sources open. */
  workspace: string
  isWaiting: boolean
  /** Whether the board shows how this one differs; null for the baseline. */
  baseline: { letter: string; turn: Turn | null } | null
  source: number | null
  onInspect: (run_id: string, part?: { source?: number; node?: string }) => void
  /** Null where this app cannot be asked any more. */
  onRerun: ((question: Turn['question']) => void) | null
  onSendRemaining: (() => void) | null
}

/** The result of one round, live or stored, or its differences from the baseline. */
export function CellReply(props: CellReplyProps) {
  const {
    run_id,
    entry,
    row,
    problem,
    app,
    workspace,
    isWaiting,
    baseline,
    source,
    onInspect,
    onRerun,
    onSendRemaining,
  } = props
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const view = useRun(RUN_ENTRIES[entry], run_id, row !== null && isActiveStatus(row.status))
  const turn = toTurn(row, view)
  if (isWaiting) return <p className={classes.note}>{t('waits')}</p>
  if (!turn && problem?.status === 404)
    return (
      <div className={classes.unsent}>
        <p className={classes.note}>{app ? t('notSent') : t('noRun', { id: run_id.slice(0, 8) })}</p>
        {onSendRemaining ? (
          <Button variant="default" data-once leftSection={<IconSend size={14} />} onClick={onSendRemaining}>
            {t('sendRest')}
          </Button>
        ) : null}
      </div>
    )
  if (!turn && problem) return <ProblemAlert problem={problem} action={t('readRun', { id: run_id.slice(0, 8) })} />
  if (!turn) return <SkeletonRows rows={3} height={48} />
  const open = (
    <Link className={classes.open} to={paths.run(run_id, { workspace })}>
      {t('openRun')}
    </Link>
  )
  if (baseline && isTurnOver(turn) && hasAnswerContent(turn))
    return (
      <>
        <CellDiff baseline={baseline.turn} letter={baseline.letter} turn={turn} />
        {open}
      </>
    )
  return (
    <>
      <RunReply
        key={run_id}
        turn={turn}
        workspace={workspace}
        app={app?.key.id ?? null}
        source={source}
        onCite={(position) => onInspect(run_id, { source: position })}
        onInspect={() => onInspect(run_id)}
        onNode={(node) => onInspect(run_id, { node })}
        // A finished run is replayed on its own page.
        onResend={() =>
          onRerun ? onRerun(turn.question) : void navigate(paths.run(run_id, { workspace, replay: '1' }))
        }
        onEdit={() => {
          runStore.remove(run_id)
          roundScheduler.cancel([run_id])
        }}
        askPlatform={app ? <AskPlatform turn={turn} app={app.key} /> : null}
        stopButton={
          app ? (
            <StopRunButton
              app={app.key}
              entry={STOP_ENTRIES[turn.entry]}
              task_id={turn.answer.task_id}
              user={turn.question.user}
              key={run_id}
            />
          ) : null
        }
      />
      {isTurnOver(turn) ? open : null}
    </>
  )
}

const hasAnswerContent = ({ answer }: Turn): boolean => answer.text !== '' || answer.run.outputs !== null
