import { Link } from 'react-router'
import { type FailureGroup, runInsightEndpoints } from '#contract/console/runInsights.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from './AppHistory.module.css'
import type { AppHistoryProps } from './appHistoryProps.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { appHistoryMessages } from './messages.ts'

/** The newest failed runs of an app, grouped by node and message, the most frequent first. */
export function FailureGroups({ app, selected, getLink }: AppHistoryProps) {
  const t = useMessages(appHistoryMessages)
  const { get } = useSearchParamState()
  const query = { key: app.id, from: get('from') }
  const { data, error, refetch } = useRead(runInsightEndpoints.listFailures, { query })
  return (
    <>
      <HistoryFilters states={[]} search={null} byPerson={false} />
      {error && !data ? (
        <div className={classes.alone}>
          <ProblemAlert problem={error.problem} action={t('failuresWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={6} height={64} /> : null}
      {data?.total === 0 ? <EmptyState title={t('noFailures')}>{t('noFailuresText')}</EmptyState> : null}
      {data && data.total > 0 ? (
        <>
          <p className={classes.note}>{t('failuresExamined', { count: data.looked_at })}</p>
          <ul className={classes.groups} aria-label={t('failures')}>
            {data.data.map((failure) => (
              <FailureGroupItem
                key={JSON.stringify([failure.node_id, failure.error])}
                failure={failure}
                selected={selected}
                getLink={getLink}
              />
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

function FailureGroupItem({
  failure,
  selected,
  getLink,
}: { failure: FailureGroup } & Pick<AppHistoryProps, 'selected' | 'getLink'>) {
  const t = useMessages(appHistoryMessages)
  const { node_id, node_type, title, error, count, last_at, runs } = failure
  return (
    <li>
      <details>
        <summary>
          <span className={classes.where}>
            <StatusBadge status="failed" isBare />
            <b dir="auto">{title ?? node_id ?? t('noNode')}</b>
            {node_type ? <code>{node_type}</code> : null}
            <span className={classes.count}>{t('times', { count })}</span>
          </span>
          <span className={classes.words} dir="auto">
            {error || t('noWords')}
          </span>
          <span className={classes.about}>
            {t.rich('lastAt', { since: () => <RelativeTime key="since" at={last_at} /> })}
          </span>
        </summary>
        <ul className={classes.named}>
          {runs.map((run) => (
            <li key={run.id}>
              <Link to={getLink(run.id)} aria-current={run.id === selected || undefined} dir="auto">
                {run.title || t('untitled')}
              </Link>
              <RelativeTime at={run.created_at} />
            </li>
          ))}
          {count > runs.length ? <li>{t('moreRuns', { count: count - runs.length })}</li> : null}
        </ul>
      </details>
    </li>
  )
}
