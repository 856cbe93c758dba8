import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { RUN_STATES, type RunStatus } from '#contract/runs.ts'
import { Empty } from '../../ui/Empty.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Slices } from '../../ui/Slices.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { AdoptRun } from '../AdoptRun.tsx'
import classes from './History.module.css'
import type { HistoryProps } from './History.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import { historyWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

const LIMIT = 20
const POLL = 4_000
const FILTERS = ['q', 'status', 'from', 'person'] as const

/** The runs of the app that this console kept, newest first, whoever began them. */
export function AppRuns({ entry, workspace, app, selected, linkOf }: HistoryProps) {
  const t = useWords(historyWords)
  const { get, set } = useListState()
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))
  const isFiltered = Object.keys(filters).length > 0
  const query = { workspace, key: app.id, entry, before: get('before'), limit: LIMIT, ...filters }
  const { data, error, refetch } = useRead(
    contract.console.listRuns,
    { query: query as typeof query & { status?: RunStatus } },
    { poll: POLL },
  )
  const clear = (
    <Button variant="default" onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
      {t('clear')}
    </Button>
  )
  return (
    <>
      <HistoryFilters states={RUN_STATES} search={t('search')} byPerson />
      {error ? (
        <div className={classes.alone}>
          <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()}>
            {error.problem.kind === 'invalid' ? clear : null}
          </ProblemNote>
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={8} height={44} /> : null}
      {data?.total === 0 && data.next === null ? (
        <Empty title={t(isFiltered ? 'noneTitle' : 'noRuns')} actions={isFiltered ? clear : undefined}>
          {isFiltered ? null : t('noRunsText')}
        </Empty>
      ) : null}
      <ul className={classes.list} aria-label={t('history')}>
        {data?.data.map((run) => (
          <li key={run.id} data-current={run.id === selected || undefined}>
            <Link to={linkOf(run.id)} aria-current={run.id === selected || undefined} dir="auto">
              {run.title || t('untitled')}
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
      {data && (data.next !== null || data.total === null) ? (
        <Slices {...data} rows={data.data.length} onPage={(before) => set({ before })} />
      ) : null}
      {entry === 'workflows.run' ? (
        <May entry={contract.console.adoptRun}>
          <details className={classes.elsewhere}>
            <summary>{t('elsewhere')}</summary>
            <AdoptRun apps={[app]} workspace={workspace} />
          </details>
        </May>
      ) : null}
    </>
  )
}
