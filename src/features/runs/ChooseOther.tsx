import { Link, useLocation } from 'react-router'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'
import { count, seconds } from '../../run/figures.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { Slices } from '../../ui/Slices.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runsWords } from './messages.ts'
import classes from './Runs.module.css'
import run from './Run.module.css'

/** Which run this one is compared with: those of the same kind, newest first. */
export function ChooseOther({ run_id, entry, workspace }: { run_id: string; entry: Run['entry']; workspace: string }) {
  const t = useWords(runsWords)
  const { get, set } = useListState()
  const { search } = useLocation()
  const q = get('q')
  const { data, error, refetch } = useRead(contract.console.listRuns, {
    query: { workspace: workspace || undefined, entry, q, before: get('before'), limit: 20 },
  })
  const linkTo = (id: string) => {
    const to = new URLSearchParams(search)
    to.set('with', id)
    to.delete('before')
    to.delete('q')
    return `?${to.toString()}`
  }
  const columns: Column<Run>[] = [
    {
      head: t('run'),
      grow: true,
      cell: (one) => (
        <span className={classes.name}>
          {one.status === 'succeeded' ? null : <StateBadge word={one.status} plain />}
          <Link to={linkTo(one.id)} dir="auto">
            {one.title || t('untitled')}
          </Link>
        </span>
      ),
    },
    { head: 'id', mono: true, cell: ({ id }) => id.slice(0, 8) },
    {
      head: t('duration'),
      number: true,
      cell: ({ duration_ms }) =>
        duration_ms === null ? t('none') : t('secondsShort', { seconds: seconds(duration_ms) }),
    },
    {
      head: t('tokens'),
      number: true,
      cell: ({ total_tokens }) => (total_tokens === null ? null : count(total_tokens)),
    },
    { head: t('begun'), number: true, cell: ({ created_at }) => <Since at={created_at} /> },
  ]
  return (
    <section className={run.result} aria-label={t('chooseTitle')}>
      <h2 className={run.head}>{t('chooseTitle')}</h2>
      <SearchField label={t('search')} value={q ?? ''} onSearch={(words) => set({ q: words })} />
      {error ? <ProblemNote problem={error.problem} what={t('listWhat')} onRetry={() => void refetch()} /> : null}
      {data?.total === 0 && data.next === null ? <p className={run.note}>{t('noneTitle')}</p> : null}
      <Table
        label={t('chooseTitle')}
        columns={columns}
        rows={data?.data.filter(({ id }) => id !== run_id)}
        keyOf={({ id }) => id}
      />
      {data && (data.next !== null || data.total === null) ? (
        <Slices {...data} rows={data.data.length} onPage={(before) => set({ before })} />
      ) : null}
    </section>
  )
}
