import { Button } from '@mantine/core'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { seconds } from '../figures.ts'
import classes from './AskPlatform.module.css'
import { timelineWords } from './messages.ts'

export interface LoggedRunsProps {
  app: string
  /** When the request went out, milliseconds since 1970. */
  sent_at: number
  user: string
  onChoose: (workflow_run_id: string) => void
}

/** The clocks of two machines differ, and a platform may begin late. Milliseconds. */
const BEFORE = 10_000
const AFTER = 120_000

/** The runs that the platform logged of this user at the time of a call: one of them is the one that was cut. */
export function LoggedRuns({ app, sent_at, user, onChoose }: LoggedRunsProps) {
  const t = useWords(timelineWords)
  const query = {
    created_at__after: new Date(sent_at - BEFORE).toISOString(),
    created_at__before: new Date(sent_at + AFTER).toISOString(),
    created_by_end_user_session_id: user || undefined,
    limit: 20,
  }
  const { data, error, refetch } = useRead(contract.adjacent.workflowLogs, { key: app, query })
  if (error && !data) return <ProblemNote problem={error.problem} what={t('readLog')} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={2} height={34} />
  if (data.data.length === 0) return <p className={classes.note}>{t('noneLogged')}</p>
  return (
    <ul className={classes.logged} aria-label={t('logged')}>
      {data.data.map(({ id, workflow_run: run, created_at }) => (
        <li key={id}>
          <code>{(run?.id ?? id).slice(0, 8)}</code>
          {run?.status ? <StateBadge word={run.status} plain /> : null}
          <span>{typeof created_at === 'number' ? new Date(created_at * 1000).toLocaleTimeString() : null}</span>
          <span>
            {run?.elapsed_time == null ? null : t('secondsShort', { seconds: seconds(run.elapsed_time * 1000) })}
          </span>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            disabled={!run?.id}
            onClick={() => run?.id && onChoose(run.id)}
          >
            {t('thisOne')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
