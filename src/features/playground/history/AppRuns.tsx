import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { RUN_STATUSES, type RunStatus } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { CursorPager } from '../../../components/data/CursorPager.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { AdoptRun } from '../../runs/detail/AdoptRun.tsx'
import classes from './AppHistory.module.css'
import type { AppHistoryProps } from './appHistoryProps.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { appHistoryMessages } from './messages.ts'
import { Can } from '../../../client/Can.tsx'

const PAGE_SIZE = 20
const RUNS_POLL_INTERVAL_MS = 4_000
const RUN_FILTER_NAMES = ['q', 'status', 'from', 'person'] as const

/** The stored runs of the app, newest first, of all people. */
export function AppRuns({ entry, workspace, app, selected, getLink }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get, set } = useSearchParamState()
  const filters = Object.fromEntries(RUN_FILTER_NAMES.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))
  const isFiltered = Object.keys(filters).length > 0
  const query = { workspace, key: app.id, entry, before: get('before'), limit: PAGE_SIZE, ...filters }
  const { data, error, refetch } = useRead(
    runEndpoints.listRuns,
    { query: query as typeof query & { status?: RunStatus } },
    { pollIntervalMs: RUNS_POLL_INTERVAL_MS },
  )
  const clear = (
    <Button variant="default" onClick={() => set(Object.fromEntries(RUN_FILTER_NAMES.map((name) => [name, null])))}>
      {t('clearFilters')}
    </Button>
  )
  return (
    <>
      <HistoryFilters states={RUN_STATUSES} search={t('search')} byPerson />
      {error ? (
        <div className={classes.alone}>
          <ProblemAlert problem={error.problem} action={t('listWhat')} onRetry={() => void refetch()}>
            {error.problem.kind === 'invalid' ? clear : null}
          </ProblemAlert>
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={8} height={44} /> : null}
      {data?.total === 0 && data.next === null ? (
        <EmptyState title={t(isFiltered ? 'noneTitle' : 'noRuns')} actions={isFiltered ? clear : undefined}>
          {isFiltered ? null : t('noRunsText')}
        </EmptyState>
      ) : null}
      <ul className={classes.list} aria-label={t('history')}>
        {data?.data.map((run) => (
          <li key={run.id} data-current={run.id === selected || undefined}>
            <Link to={getLink(run.id)} aria-current={run.id === selected || undefined} dir="auto">
              {run.title || t('untitled')}
            </Link>
            <span className={classes.about}>
              {run.status === 'succeeded' ? null : <StatusBadge status={run.status} isPlain />}
              {run.person ? <span>{t('byPerson', { person: run.person })}</span> : null}
              <span className={classes.when}>
                <RelativeTime at={run.created_at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {data && (data.next !== null || data.total === null) ? (
        <CursorPager
          total={data.total}
          isTotalCapped={data.total_capped}
          nextCursor={data.next}
          rows={data.data.length}
          onPage={(before) => set({ before })}
        />
      ) : null}
      {entry === 'workflows.run' ? (
        <Can entry={runInsightEndpoints.adoptRun}>
          <details className={classes.elsewhere}>
            <summary>{t('loadRunById')}</summary>
            <AdoptRun apps={[app]} workspace={workspace} />
          </details>
        </Can>
      ) : null}
    </>
  )
}
