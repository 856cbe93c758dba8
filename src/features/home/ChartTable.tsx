import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { dayWords } from './days.ts'
import { homeWords } from './messages.ts'
import type { Series } from './series.ts'

export interface ChartTableProps {
  label: string
  days: readonly string[]
  series: readonly Series[]
  nameOf: (series: Series) => string
  format: (value: number) => string
  /** The values of a day can be added. */
  sums: boolean
}

/** The values of a chart, a day a row, the newest first. */
export function ChartTable({ label, days, series, nameOf, format, sums }: ChartTableProps) {
  const t = useWords(homeWords)
  const rows = days.map((day, index) => ({ day, values: series.map(({ values }) => values[index] ?? null) })).reverse()
  type Row = (typeof rows)[number]
  const shown = (value: number | null) => (value === null ? null : format(value))
  const columns: Column<Row>[] = [
    { head: t('day'), cell: ({ day }) => dayWords(day) },
    ...series.map((one, index): Column<Row> => ({
      head: nameOf(one),
      number: true,
      cell: ({ values }) => shown(values[index] ?? null),
    })),
  ]
  const total: Column<Row> = {
    head: t('total'),
    number: true,
    cell: ({ values }) => {
      const given = values.filter((value) => value !== null)
      return given.length === 0 ? null : format(given.reduce((one, other) => one + other, 0))
    },
  }
  return (
    <Table
      label={t('tableOf', { name: label })}
      columns={sums ? [...columns, total] : columns}
      rows={rows}
      keyOf={({ day }) => day}
    />
  )
}
