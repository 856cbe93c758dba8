import { Text } from '@mantine/core'
import { Link } from 'react-router'
import type { DriftRow } from '#contract/console/drift.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { getDriftLocation, OBSERVED_KIND_MESSAGES, SEVERITY_MESSAGES } from './driftKinds.ts'
import { driftMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

export interface ObservedTableProps {
  rows: readonly DriftRow[] | undefined
  current: string | undefined
  linkTo: (id: string) => string
}

/** Observed parts that are not in the contract, one fact per row: notices first. */
export function ObservedTable({ rows, current, linkTo }: ObservedTableProps) {
  const t = useMessages(driftMessages)
  const columns: TableColumn<DriftRow>[] = [
    {
      header: t('difference'),
      isMono: true,
      cell: (row) => (
        <Link to={linkTo(row.id)} dir="auto">
          {getDriftLocation(t, row)}
        </Link>
      ),
    },
    {
      header: t('severity'),
      cell: ({ severity }) => (
        <Text span inherit {...(severity === 'notice' ? { fw: 600 } : { c: 'dimmed' })}>
          {t(SEVERITY_MESSAGES[severity])}
        </Text>
      ),
    },
    { header: t('kind'), cell: ({ kind }) => t(OBSERVED_KIND_MESSAGES[kind]) },
    {
      header: t('operation'),
      isMono: true,
      cell: ({ operation, places }) =>
        places.length > 1 ? t('operationAndMore', { operation, count: places.length - 1 }) : operation,
    },
    {
      header: t('value'),
      isMono: true,
      grows: true,
      cell: truncateSample,
    },
    { header: t('times'), isNumeric: true, cell: (row) => formatCount(row.count) },
    { header: t('firstSeen'), isNumeric: true, cell: ({ first_seen }) => <RelativeTime at={first_seen} /> },
    { header: t('lastSeen'), isNumeric: true, cell: ({ last_seen }) => <RelativeTime at={last_seen} /> },
  ]
  return (
    <Table
      label={t('seen')}
      columns={columns}
      rows={rows}
      getKey={({ id }) => id}
      isCurrent={({ id }) => id === current}
    />
  )
}

const MAX_SAMPLE_CHARS = 120

/** A sample on one line; null for a missing field, which has none. */
export function truncateSample({ kind, sample }: Pick<DriftRow, 'kind' | 'sample'>): string | null {
  if (kind === 'missing' || sample === undefined) return null
  const text = typeof sample === 'string' ? sample : JSON.stringify(sample)
  return truncateText(text, MAX_SAMPLE_CHARS, '…')
}
