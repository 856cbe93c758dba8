import type { UnseenPart } from '#contract/console/drift.ts'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { UNOBSERVED_KIND_MESSAGES, getDriftLocation } from './driftKinds.ts'
import { driftMessages } from './messages.ts'

/** Parts of the contract that were never observed, in contract order. */
export function UnobservedTable({ rows }: { rows: readonly UnseenPart[] | undefined }) {
  const t = useMessages(driftMessages)
  const columns: TableColumn<UnseenPart>[] = [
    { header: t('difference'), isMono: true, grows: true, cell: (row) => getDriftLocation(t, row) },
    { header: t('kind'), cell: ({ kind }) => t(UNOBSERVED_KIND_MESSAGES[kind]) },
    { header: t('operation'), isMono: true, cell: ({ operation }) => operation },
    { header: t('since'), cell: ({ since }) => (since === null ? t('inInterface') : since) },
  ]
  return (
    <Table
      label={t('never')}
      columns={columns}
      rows={rows}
      getKey={({ operation, kind, event, path, value }) => [operation, kind, event, path, value].join('\n')}
    />
  )
}
