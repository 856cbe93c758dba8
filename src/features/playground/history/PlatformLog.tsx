import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { EndpointReply } from '#contract/endpoint.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import classes from './AppHistory.module.css'
import type { AppHistoryProps } from './appHistoryProps.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { appHistoryMessages } from './messages.ts'
import { Can } from '../../../client/Can.tsx'

const PAGE_SIZE = 20
/** The states that the platform's log can filter by. */
const LOG_STATUSES = ['succeeded', 'failed', 'stopped'] as const

type LogEntry = EndpointReply<typeof optionalAppEndpoints.workflowLogs>['data'][number]

/**
 * The platform's own log of an app, if available: it includes runs that this console never saw, which can be opened.
 */
export function PlatformLog({ workspace, app }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const query = {
    keyword: get('q'),
    status: LOG_STATUSES.find((one) => one === get('status')),
    created_at__after: get('from'),
    page: Number(get('page') ?? 1) || 1,
    limit: PAGE_SIZE,
  }
  const { data, error, refetch } = useRead(optionalAppEndpoints.workflowLogs, { key: app.id, query })
  return (
    <>
      <HistoryFilters states={LOG_STATUSES} search={t('searchLog')} byPerson={false} />
      {error ? (
        <div className={classes.alone}>
          <ProblemAlert problem={error.problem} action={t('logWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={8} height={44} /> : null}
      {data?.data.length === 0 ? <EmptyState title={t('noLog')}>{t('noLogText')}</EmptyState> : null}
      {data && data.data.length > 0 ? <p className={classes.note}>{t('logNote')}</p> : null}
      <ul className={classes.list} aria-label={t('log')}>
        {data?.data.map((logged) => (
          <LogEntryItem key={logged.id} logged={logged} app={app.id} workspace={workspace} />
        ))}
      </ul>
      {data && (data.total ?? 0) > PAGE_SIZE ? (
        <Pager page={query.page} limit={PAGE_SIZE} total={data.total ?? 0} onPage={(page) => set({ page })} />
      ) : null}
    </>
  )
}

function LogEntryItem({ logged: entry, app, workspace }: { logged: LogEntry; app: string; workspace: string }) {
  const t = useMessages(appHistoryMessages)
  const navigate = useNavigate()
  const write = useWrite(runInsightEndpoints.adoptRun)
  const { workflow_run: run, created_by_end_user: by, created_at } = entry
  const user = (by as { session_id?: unknown } | null | undefined)?.session_id
  const id = run?.id
  return (
    <li>
      <span className={classes.logged}>
        {run?.status ? <StatusBadge status={run.status} isPlain /> : null}
        <code>{(id ?? entry.id).slice(0, 8)}</code>
        {typeof user === 'string' ? <span dir="auto">{t('asUser', { user })}</span> : null}
        <Can entry={runInsightEndpoints.adoptRun}>
          <Button
            variant="subtle"
            size="compact-xs"
            loading={write.isPending}
            disabled={!id}
            onClick={() =>
              id &&
              write.mutate(
                { body: { key: app, workflow_run_id: id } },
                { onSuccess: (kept) => void navigate(paths.run(kept.id, { workspace })) },
              )
            }
          >
            {t('open')}
          </Button>
        </Can>
      </span>
      <span className={classes.about}>
        {run?.elapsed_time == null ? null : (
          <span>{t('secondsShort', { seconds: formatSeconds(run.elapsed_time * 1000) })}</span>
        )}
        {run?.total_tokens == null ? null : <span>{t('tokens', { tokens: formatCount(run.total_tokens) })}</span>}
        <span className={classes.when}>
          <RelativeTime at={created_at} />
        </span>
      </span>
      {run?.error ? (
        <span className={classes.words} dir="auto">
          {run.error}
        </span>
      ) : null}
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('loadThisRun')} /> : null}
    </li>
  )
}
