import { Link } from 'react-router'
import type { Call } from '#contract/console/calls.ts'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { Price } from '../../components/data/Price.tsx'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { type VirtualColumn, VirtualTable } from '../../components/data/VirtualTable.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'

export interface LedgerTableProps {
  rows: readonly Call[]
  showsAllColumns: boolean
  keys: readonly Key[]
  workspace: string
  current: string | undefined
  linkTo: (call_id: string) => string
  onEndReached: () => void
  /** What is said after the last row. */
  footer: string | null
}

/** Calls and runs, one a row, newest first. A state is said only where it is not `succeeded`. */
export function LedgerTable({
  rows,
  showsAllColumns,
  keys,
  workspace,
  current,
  linkTo,
  onEndReached,
  footer,
}: LedgerTableProps) {
  const t = useMessages(ledgerMessages)
  const columns: VirtualColumn<Call>[] = [
    { header: t('time'), width: '64px', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      header: t('call'),
      width: 'minmax(240px, 1fr)',
      cell: (call) => (
        <Link to={linkTo(call.id)} dir="auto">
          {call.title || call.entry}
        </Link>
      ),
    },
    {
      header: t('status'),
      width: '104px',
      cell: ({ status }) => (
        <span className={classes.state} data-quiet={status === 'succeeded' || undefined}>
          {status === 'succeeded' ? status : <StatusBadge status={status} isPlain />}
        </span>
      ),
    },
    { header: t('operation'), width: '168px', isMono: true, cell: ({ entry }) => entry },
    { header: t('app'), width: '130px', cell: ({ key }) => getKeyLabel(key) },
    { header: t('workspace'), width: '100px', cell: () => workspace },
    { header: t('person'), width: '72px', cell: ({ person }) => person ?? t('console') },
    { header: t('duration'), width: '64px', isNumeric: true, cell: (call) => time(call) },
    {
      header: t('tokens'),
      width: '64px',
      isNumeric: true,
      cell: ({ total_tokens, first_token_ms, frames }) =>
        total_tokens !== null ? formatCount(total_tokens) : first_token_ms === null && frames === 0 ? t('none') : null,
    },
    {
      header: t('price'),
      width: '88px',
      isNumeric: true,
      cell: ({ total_price, currency, frames }) =>
        total_price ? <Price price={total_price} currency={currency} /> : frames === 0 ? t('none') : null,
    },
  ]
  return (
    <VirtualTable
      label={t('title')}
      columns={columns}
      rows={rows}
      count={showsAllColumns ? rows.length : -1}
      getKey={({ id }) => id}
      isCurrent={({ id }) => id === current}
      onEndReached={onEndReached}
      footer={footer ? <p className={classes.foot}>{footer}</p> : null}
    />
  )

  function time({ duration_ms, status }: Call): string {
    if (duration_ms === null) return t(isActiveStatus(status) ? 'running' : 'none')
    return t('secondsShort', { seconds: formatSeconds(duration_ms) })
  }

  function getKeyLabel(key: string): string {
    return keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) })
  }
}
