import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useRead } from '../../wire/query.ts'
import classes from './AppRuns.module.css'
import type { PlaygroundEntry } from './Playground.tsx'

export interface AppRunsProps {
  entry: PlaygroundEntry
  workspace: string
  app: string
  /** The run whose output is shown. */
  selected: string | null
  page: string | undefined
  onPage: (page: number) => void
  /** Where a run of the list is shown. */
  linkOf: (run_id: string) => string
}

const LIMIT = 20
const POLL = 4_000

/** The runs of the app that this console saw, newest first, whoever began them. */
export function AppRuns({ entry, workspace, app, selected, page, onPage, linkOf }: AppRunsProps) {
  const t = useTranslations('playground')
  const { data, error, refetch } = useRead(
    contract.console.listRuns,
    { query: { workspace, key: app, entry, page: page ?? 1, limit: LIMIT } },
    { poll: POLL },
  )
  if (error && !data)
    return (
      <div className={classes.alone}>
        <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <SkeletonRows rows={8} height={44} />
  if (data.total === 0) return <Empty title={t('noRuns')}>{t('noRunsText')}</Empty>
  return (
    <div className={classes.history}>
      <ul className={classes.list} aria-label={t('history')}>
        {data.data.map((run) => (
          <li key={run.id} data-current={run.id === selected || undefined}>
            <Link to={linkOf(run.id)} aria-current={run.id === selected || undefined} dir="auto">
              {run.title}
            </Link>
            <span className={classes.about}>
              {run.status === 'succeeded' ? null : <StateBadge word={run.status} plain />}
              {run.person ? <span>{t('byPerson', { person: run.person })}</span> : null}
              <span className={classes.when}>
                <Since at={run.created_at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {data.total > LIMIT ? <Pager page={data.page} limit={data.limit} total={data.total} onPage={onPage} /> : null}
    </div>
  )
}
