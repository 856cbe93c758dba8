import type { NeverRow } from '#contract/drifts.ts'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { NEVER_WORDS, placeOf } from './kinds.ts'
import { driftWords } from './messages.ts'

/** What is in the contract and was never seen, in the order of the contract. */
export function NeverTable({ rows }: { rows: readonly NeverRow[] | undefined }) {
  const t = useWords(driftWords)
  const columns: Column<NeverRow>[] = [
    { head: t('what'), mono: true, grow: true, cell: (row) => placeOf(t, row) },
    { head: t('kind'), cell: ({ kind }) => t(NEVER_WORDS[kind]) },
    { head: t('operation'), mono: true, cell: ({ operation }) => operation },
  ]
  return (
    <Table
      label={t('never')}
      columns={columns}
      rows={rows}
      keyOf={({ operation, kind, event, path, value }) => [operation, kind, event, path, value].join('\n')}
    />
  )
}
