import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import type { Failure } from '#contract/telling.ts'
import { Empty } from '../../ui/Empty.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import classes from './History.module.css'
import type { HistoryProps } from './History.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import { historyWords } from './messages.ts'

/** How the newest failed runs of an app failed: by node and words, the most frequent first. */
export function FailureGroups({ app, selected, linkOf }: HistoryProps) {
  const t = useWords(historyWords)
  const { get } = useListState()
  const query = { key: app.id, from: get('from') }
  const { data, error, refetch } = useRead(contract.console.listFailures, { query })
  return (
    <>
      <HistoryFilters states={[]} search={null} byPerson={false} />
      {error && !data ? (
        <div className={classes.alone}>
          <ProblemNote problem={error.problem} what={t('failuresWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={6} height={64} /> : null}
      {data?.total === 0 ? <Empty title={t('noFailures')}>{t('noFailuresText')}</Empty> : null}
      {data && data.total > 0 ? (
        <>
          <p className={classes.note}>{t('lookedAt', { count: data.looked_at })}</p>
          <ul className={classes.groups} aria-label={t('failures')}>
            {data.data.map((failure) => (
              <Group
                key={JSON.stringify([failure.node_id, failure.error])}
                failure={failure}
                selected={selected}
                linkOf={linkOf}
              />
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

function Group({ failure, selected, linkOf }: { failure: Failure } & Pick<HistoryProps, 'selected' | 'linkOf'>) {
  const t = useWords(historyWords)
  const { node_id, node_type, title, error, count, last_at, runs } = failure
  return (
    <li>
      <details>
        <summary>
          <span className={classes.where}>
            <StateBadge word="failed" bare />
            <b dir="auto">{title ?? node_id ?? t('noNode')}</b>
            {node_type ? <code>{node_type}</code> : null}
            <span className={classes.count}>{t('times', { count })}</span>
          </span>
          <span className={classes.words} dir="auto">
            {error || t('noWords')}
          </span>
          <span className={classes.about}>
            {t.rich('lastAt', { since: () => <Since key="since" at={last_at} ago /> })}
          </span>
        </summary>
        <ul className={classes.named}>
          {runs.map((run) => (
            <li key={run.id}>
              <Link to={linkOf(run.id)} aria-current={run.id === selected || undefined} dir="auto">
                {run.title || t('untitled')}
              </Link>
              <Since at={run.created_at} />
            </li>
          ))}
          {count > runs.length ? <li>{t('moreRuns', { count: count - runs.length })}</li> : null}
        </ul>
      </details>
    </li>
  )
}
