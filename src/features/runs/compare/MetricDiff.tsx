import { Price } from '../../../components/data/Price.tsx'
import { formatCount, formatPrice, formatSeconds } from '#domain/metricFormat.ts'
import type { Turn } from '../turn.ts'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { compareMetrics, type ComparedMetric } from './metricComparison.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'

/** The metrics of two runs side by side. */
export function MetricDiff({ before, after }: { before: Turn; after: Turn }) {
  const t = useMessages(runListMessages)
  const shownMetrics = (metric: ComparedMetric, turn: Turn, value: number | null) => {
    if (value === null) return null
    if (metric.name === 'price')
      return <Price price={turn.answer.usage?.total_price} currency={turn.answer.usage?.currency} />
    return isTimeMetric(metric) ? t('secondsShort', { seconds: formatSeconds(value) }) : formatCount(value)
  }
  const columns: TableColumn<ComparedMetric>[] = [
    { header: t('metric'), cell: ({ name }) => t(METRIC_LABELS[name]) },
    { header: t('earlier'), isNumeric: true, cell: (metric) => shownMetrics(metric, before, metric.before) },
    { header: t('later'), isNumeric: true, cell: (metric) => shownMetrics(metric, after, metric.after) },
    {
      header: t('difference'),
      isNumeric: true,
      cell: (metric) =>
        metric.change === null
          ? metric.before === null || metric.after === null
            ? '–'
            : t('otherCurrency')
          : signed(metric),
    },
  ]
  return (
    <Table label={t('statistics')} columns={columns} rows={compareMetrics(before, after)} getKey={({ name }) => name} />
  )

  function signed(metric: ComparedMetric): string {
    const change = metric.change ?? 0
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    const size = Math.abs(change)
    if (metric.name === 'price') return `${sign}${formatPrice(String(size), null) ?? ''}`
    return `${sign}${isTimeMetric(metric) ? t('secondsShort', { seconds: formatSeconds(size) }) : formatCount(size)}`
  }
}

const isTimeMetric = ({ name }: ComparedMetric): boolean => name === 'firstToken' || name === 'duration'

const METRIC_LABELS = {
  firstToken: 'firstToken',
  duration: 'duration',
  promptTokens: 'promptTokens',
  completionTokens: 'completionTokens',
  tokens: 'tokens',
  price: 'price',
  frames: 'frames',
  characters: 'characters',
} as const satisfies Record<ComparedMetric['name'], string>
