import { IconCornerDownRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { KINDS } from './kinds.ts'
import { runsWords } from './messages.ts'
import classes from './Runs.module.css'

/** Runs of every kind, one a row. A state is said only where it is not `succeeded`. */
export function RunsTable({ rows, keys }: { rows: readonly Run[] | undefined; keys: readonly Key[] }) {
  const t = useWords(runsWords)
  const time = (run: Run, ms: number | null) =>
    ms === null ? t(isLive(run.status) ? 'goesOn' : 'none') : t('secondsShort', { seconds: seconds(ms) })
  const columns: Column<Run>[] = [
    {
      head: t('run'),
      grow: true,
      cell: (run) => (
        <span className={classes.name}>
          {run.status === 'succeeded' ? null : <StateBadge word={run.status} plain />}
          {run.parent ? (
            <IconCornerDownRight
              size={14}
              role="img"
              aria-label={t('madeFrom', { id: run.parent.slice(0, 8) })}
              className={classes.child}
            />
          ) : null}
          <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
            {run.title || t('untitled')}
          </Link>
        </span>
      ),
    },
    { head: t('kind'), cell: (run) => t(KINDS[run.entry]) },
    { head: t('app'), cell: (run) => labelOf(run) },
    { head: t('user'), mono: true, cell: (run) => run.user },
    { head: t('person'), cell: (run) => run.person },
    { head: t('firstToken'), number: true, cell: (run) => time(run, run.first_token_ms) },
    { head: t('duration'), number: true, cell: (run) => time(run, run.duration_ms) },
    { head: t('tokens'), number: true, cell: (run) => (run.total_tokens === null ? null : count(run.total_tokens)) },
    { head: t('price'), number: true, cell: (run) => priceOf(run.total_price, run.currency) },
    { head: t('begun'), number: true, cell: (run) => <Since at={run.created_at} /> },
  ]
  return <Table label={t('title')} columns={columns} rows={rows} keyOf={({ id }) => id} />

  function labelOf(run: Run): string {
    return keys.find(({ id }) => id === run.key)?.label ?? t('deletedKey', { id: run.key.slice(0, 8) })
  }
}
