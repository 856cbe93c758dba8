import { type TableColumn, Table } from '../data/Table.tsx'
import { useMessages } from '../i18n/useMessages.ts'
import { chartMessages } from './chartMessages.ts'
import type { ChartSeries } from './chartSeries.ts'

export interface ChartTableProps {
  label: string
  points: readonly string[]
  pointHead: string
  formatPoint: (point: string) => string
  series: readonly ChartSeries[]
  format: (value: number) => string
  /** The values of a point can be added. */
  hasTotals: boolean
}

/** The values of a chart, a point a row, the newest first. */
export function ChartTable({ label, points, pointHead, formatPoint, series, format, hasTotals }: ChartTableProps) {
  const t = useMessages(chartMessages)
  const rows = points
    .map((point, index) => ({ point, values: series.map(({ values }) => values[index] ?? null) }))
    .reverse()
  type Row = (typeof rows)[number]
  const shown = (value: number | null) => (value === null ? null : format(value))
  const columns: TableColumn<Row>[] = [
    { header: pointHead, cell: ({ point }) => formatPoint(point) },
    ...series.map((one, index): TableColumn<Row> => ({
      header: one.label,
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
      getKey={({ point }) => point}
    />
  )
}
