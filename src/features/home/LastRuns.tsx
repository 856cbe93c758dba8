import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Home.module.css'
import { homeWords } from './messages.ts'

/** The newest runs of all workspaces. */
export function LastRuns({ runs, keys }: { runs: readonly Run[] | undefined; keys: readonly Key[] }) {
  const t = useWords(homeWords)
  const columns: Column<Run>[] = [
    { head: t('state'), cell: ({ status }) => <StateBadge word={status} /> },
    {
      head: t('run'),
      grow: true,
      cell: (run) => (
        <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
          {run.title || t('untitled')}
        </Link>
      ),
    },
    {
      head: t('app'),
      cell: ({ key }) => keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) }),
    },
    {
      head: t('time'),
      number: true,
      cell: ({ duration_ms, status }) =>
        duration_ms === null ? (isLive(status) ? t('goesOn') : null) : t('seconds', { seconds: seconds(duration_ms) }),
    },
    {
      head: t('tokensOf'),
      number: true,
      cell: ({ total_tokens }) => (total_tokens === null ? null : count(total_tokens)),
    },
    { head: t('priceOf'), number: true, cell: (run) => priceOf(run.total_price, run.currency) },
    { head: t('when'), number: true, cell: ({ created_at }) => <Since at={created_at} /> },
  ]
  return (
    <section aria-label={t('lastRuns')}>
      <h2 className={classes.heading}>
        {t('lastRuns')} <Link to={paths.runs()}>{t('allRuns')}</Link>
      </h2>
      <div className={classes.box}>
        <Table label={t('newestFirst')} columns={columns} rows={runs} keyOf={({ id }) => id} />
      </div>
    </section>
  )
}
