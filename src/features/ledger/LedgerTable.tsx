import { Link } from 'react-router'
import type { Call } from '#contract/calls.ts'
import type { Key } from '#contract/console.ts'
import { isLive } from '#contract/runs.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import { type LongColumn, LongTable } from '../../ui/LongTable.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'

export interface LedgerTableProps {
  rows: readonly Call[]
  isWhole: boolean
  keys: readonly Key[]
  workspace: string
  current: string | undefined
  linkTo: (call_id: string) => string
  onEnd: () => void
  /** What is said after the last row. */
  foot: string | null
}

/** Calls and runs, one a row, newest first. A state is said only where it is not `succeeded`. */
export function LedgerTable({ rows, isWhole, keys, workspace, current, linkTo, onEnd, foot }: LedgerTableProps) {
  const t = useWords(ledgerWords)
  const columns: LongColumn<Call>[] = [
    { head: t('time'), width: '64px', cell: ({ created_at }) => <Since at={created_at} /> },
    {
      head: t('call'),
      width: 'minmax(240px, 1fr)',
      cell: (call) => (
        <Link to={linkTo(call.id)} dir="auto">
          {call.title || call.entry}
        </Link>
      ),
    },
    {
      head: t('status'),
      width: '104px',
      cell: ({ status }) => (
        <span className={classes.state} data-quiet={status === 'succeeded' || undefined}>
          {status === 'succeeded' ? status : <StateBadge word={status} plain />}
        </span>
      ),
    },
    { head: t('operation'), width: '168px', mono: true, cell: ({ entry }) => entry },
    { head: t('app'), width: '130px', cell: ({ key }) => labelOf(key) },
    { head: t('workspace'), width: '100px', cell: () => workspace },
    { head: t('person'), width: '72px', cell: ({ person }) => person ?? t('console') },
    { head: t('duration'), width: '64px', number: true, cell: (call) => time(call) },
    {
      head: t('tokens'),
      width: '64px',
      number: true,
      cell: ({ total_tokens, first_token_ms, frames }) =>
        total_tokens !== null ? count(total_tokens) : first_token_ms === null && frames === 0 ? t('none') : null,
    },
    {
      head: t('price'),
      width: '88px',
      number: true,
      cell: ({ total_price, currency, frames }) => priceOf(total_price, currency) ?? (frames === 0 ? t('none') : null),
    },
  ]
  return (
    <LongTable
      label={t('title')}
      columns={columns}
      rows={rows}
      count={isWhole ? rows.length : -1}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === current}
      onEnd={onEnd}
      foot={foot ? <p className={classes.foot}>{foot}</p> : null}
    />
  )

  function time({ duration_ms, status }: Call): string {
    if (duration_ms === null) return t(isLive(status) ? 'goesOn' : 'none')
    return t('secondsShort', { seconds: seconds(duration_ms) })
  }

  function labelOf(key: string): string {
    return keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) })
  }
}
