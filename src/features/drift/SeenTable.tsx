import { Link } from 'react-router'
import type { DriftRow } from '#contract/drifts.ts'
import { count } from '../../run/figures.ts'
import { Since } from '../../ui/Since.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Drift.module.css'
import { placeOf, SEEN_WORDS } from './kinds.ts'
import { driftWords } from './messages.ts'

export interface SeenTableProps {
  rows: readonly DriftRow[] | undefined
  current: string | undefined
  linkTo: (id: string) => string
}

/** What was seen and is not in the contract, one way a row, the newest first. */
export function SeenTable({ rows, current, linkTo }: SeenTableProps) {
  const t = useWords(driftWords)
  const columns: Column<DriftRow>[] = [
    {
      head: t('what'),
      mono: true,
      cell: (row) => (
        <Link to={linkTo(row.id)} dir="auto">
          {placeOf(t, row)}
        </Link>
      ),
    },
    { head: t('kind'), cell: ({ kind }) => t(SEEN_WORDS[kind]) },
    { head: t('operation'), mono: true, cell: ({ operation }) => operation },
    {
      head: t('value'),
      mono: true,
      grow: true,
      cell: ({ sample }) => <span className={classes.sample}>{shortOf(sample)}</span>,
    },
    { head: t('times'), number: true, cell: (row) => count(row.count) },
    { head: t('firstSeen'), number: true, cell: ({ first_seen }) => <Since at={first_seen} /> },
    { head: t('lastSeen'), number: true, cell: ({ last_seen }) => <Since at={last_seen} /> },
  ]
  return (
    <Table
      label={t('seen')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === current}
    />
  )
}

const SHORT = 120

/** A sample on one line; null where nothing stood there. */
export function shortOf(sample: unknown): string | null {
  if (sample === null || sample === undefined) return null
  const text = typeof sample === 'string' ? sample : JSON.stringify(sample)
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
}
