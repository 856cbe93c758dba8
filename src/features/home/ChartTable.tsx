import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { formatDay } from './formatDay.ts'
import { homeMessages } from './messages.ts'
import type { ChartSeries } from './chartSeries.ts'

export interface ChartTableProps {
  label: string
  days: readonly string[]
  series: readonly ChartSeries[]
  getSeriesName: (series: ChartSeries) => string
  format: (value: number) => string
  /** The values of a day can be added. */
  hasTotals: boolean
}

/** The values of a chart, a day a row, the newest first. */
export function ChartTable({ label, days, series, getSeriesName, format, hasTotals }: ChartTableProps) {
  const t = useMessages(homeMessages)
  const rows = days.map((day, index) => ({ day, values: series.map(({ values }) => values[index] ?? null) })).reverse()
  type Row = (typeof rows)[number]
  const shown = (value: number | null) => (value === null ? null : format(value))
  const columns: TableColumn<Row>[] = [
    { header: t('day'), cell: ({ day }) => formatDay(day) },
    ...series.map((one, index): TableColumn<Row> => ({
      header: getSeriesName(one),
      isNumeric: true,
      cell: ({ values }) => shown(values[index] ?? null),
    })),
  ]
  const total: TableColumn<Row> = {
    header: t('total'),
    isNumeric: true,
    cell: ({ values }) => {
      const given = values.filter((value) => value !== null)
      return given.length === 0 ? null : format(given.reduce((one, other) => one + other, 0))
    },
  }
  return (
    <Table
      label={t('tableOf', { name: label })}
      columns={hasTotals ? [...columns, total] : columns}
      rows={rows}
      getKey={({ day }) => day}
    />
  )
}
