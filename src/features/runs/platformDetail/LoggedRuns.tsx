import { formatDateTime } from '#domain/dateFormat.ts'
import { Button } from '@mantine/core'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import classes from './AskPlatform.module.css'
import { timelineMessages } from '../timeline/messages.ts'

export interface LoggedRunsProps {
  app: string
  /** Time of the request (Unix ms). */
  sent_at: number
  user: string
  onChoose: (workflow_run_id: string) => void
}

/** Tolerances for clock skew and late starts (ms). */
const SEARCH_BEFORE_MS = 10_000
const SEARCH_AFTER_MS = 120_000

/** The runs in the platform's log of this user around the time of a call: one of them is the interrupted one. */
export function LoggedRuns({ app, sent_at, user, onChoose }: LoggedRunsProps) {
  const t = useMessages(timelineMessages)
  const query = {
    created_at__after: new Date(sent_at - SEARCH_BEFORE_MS).toISOString(),
    created_at__before: new Date(sent_at + SEARCH_AFTER_MS).toISOString(),
    created_by_end_user_session_id: user || undefined,
    limit: 20,
  }
  const { data, error, refetch } = useRead(optionalAppEndpoints.workflowLogs, { key: app, query })
  if (error && !data)
    return <ProblemAlert problem={error.problem} action={t('readLog')} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={2} height={34} />
  if (data.data.length === 0) return <p className={classes.note}>{t('noneLogged')}</p>
  return (
    <ul className={classes.logged} aria-label={t('logged')}>
      {data.data.map(({ id, workflow_run: run, created_at }) => (
        <li key={id}>
          <code>{(run?.id ?? id).slice(0, 8)}</code>
          {run?.status ? <StatusBadge status={run.status} isPlain /> : null}
          <span>{typeof created_at === 'number' ? formatDateTime(created_at * 1000) : null}</span>
          <span>
            {run?.elapsed_time == null ? null : t('secondsShort', { seconds: formatSeconds(run.elapsed_time * 1000) })}
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
