import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { RunStats } from '#contract/console/stats.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { formatCount, formatPrice } from '#domain/metricFormat.ts'
import { ChartCard } from '../../components/charts/ChartCard.tsx'
import { OTHER_SERIES_NAME } from '../../components/charts/chartSeries.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import {
  formatDay,
  toBarSeries,
  type BarMeasure,
  type AppSeries,
  formatFailureShare,
  formatCompactNumber,
} from './chartSeries.ts'
import { homeMessages } from './messages.ts'

const BAR_MEASURES = ['tokens', 'runs', 'price', 'failed'] as const

/** What ran, day by day and app by app: tokens, runs, price in one currency, failures. */
export function BarChartCard({
  stats,
  keys,
  days,
}: {
  stats: RunStats | undefined
  keys: readonly Key[]
  days: number
}) {
  const t = useMessages(homeMessages)
  const [measure, setMeasure] = useState<BarMeasure>('tokens')
  const [selectedCurrency, setCurrency] = useState<string | null>(null)
  const words = { tokens: t('tokens'), runs: t('runsOf'), price: t('price'), failed: t('failed') }
  const currencies = stats?.price_totals.map(({ currency }) => currency) ?? []
  const currency =
    selectedCurrency !== null && currencies.includes(selectedCurrency) ? selectedCurrency : (currencies[0] ?? '')
  const format = (value: number) =>
    measure === 'price' ? (formatPrice(String(value), currency) ?? '') : formatCompactNumber(value)
  const prices = stats?.price_totals.map((price) => formatPrice(price.total, price.currency)).filter(Boolean) ?? []
  const { total } = stats ?? {}
  return (
    <ChartCard
      name={t('perDay', { measure: words[measure] })}
      options={BAR_MEASURES.map((value) => ({ value, label: t('perDay', { measure: words[value] }) }))}
      selected={measure}
      onSelect={setMeasure}
      total={formatTotal()}
      totalSuffix={formatSuffix()}
      controls={
        measure === 'price' && currencies.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label={t('currency')}
            value={currency}
            data={currencies.map((value) => ({ value, label: value || t('noCurrency') }))}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        ) : null
      }
      shape="bars"
      points={stats?.days ?? []}
      pointHead={t('day')}
      formatPoint={formatDay}
      series={stats && toBarSeries(stats, measure, currency).map((one) => ({ ...one, label: getSeriesName(one) }))}
      format={format}
    />
  )

  function formatTotal(): string | null {
    if (!stats || !total) return null
    if (measure === 'price')
      return formatPrice(stats.price_totals.find((one) => one.currency === currency)?.total, currency)
    if (measure === 'tokens') return total.tokens === null ? null : formatCompactNumber(total.tokens)
    return formatCount(total[measure])
  }

  function formatSuffix(): string {
    if (!total) return ''
    const notes = [t('inDays', { days })]
    if (measure === 'tokens' && prices.length > 0) notes.push(prices.join(' + '))
    if ((measure === 'tokens' || measure === 'price') && total.without_usage > 0)
      notes.push(t('withoutUsage', { count: total.without_usage }))
    const share = formatFailureShare(total.failed, total.runs)
    if (measure === 'failed' && share !== null) notes.push(t('shareOfAll', { share }))
    if (measure === 'failed' && total.unclear > 0) notes.push(t('unclear', { count: total.unclear }))
    return notes.join(', ')
  }

  function getSeriesName({ name, keys: members }: AppSeries): string {
    if (name === OTHER_SERIES_NAME) return t('others', { count: members.length })
    return keys.find(({ id }) => id === name)?.label ?? t('deletedKey', { id: name.slice(0, 8) })
  }
}
