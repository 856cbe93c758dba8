import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { RunStats } from '#contract/console/stats.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { ChartCard } from '../../components/charts/ChartCard.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { formatDay, toLineSeries, formatFailureShare, type LineTiming } from './chartSeries.ts'
import { homeMessages } from './messages.ts'

const LINE_TIMINGS = ['answer', 'first_token', 'errors'] as const
const PERCENTILE_FIELDS = { answer: ['p50', 'p95'], first_token: ['first_token_p50', 'first_token_p95'] } as const

export interface LineChartCardProps {
  stats: RunStats | undefined
  keys: readonly Key[]
  days: number
}

/** Response times per day (p50 and p95), or the share of failed runs, for all apps or one. */
export function LineChartCard({ stats, keys, days }: LineChartCardProps) {
  const t = useMessages(homeMessages)
  const [timing, setTiming] = useState<LineTiming>('answer')
  const [selectedApp, setApp] = useState('')
  const apps = [...new Set(stats?.by_app.map(({ key }) => key))]
  const app = apps.includes(selectedApp) ? selectedApp : null
  const words = { answer: t('answerTime'), first_token: t('firstToken'), errors: t('errorRate') }
  const format = (value: number) =>
    timing === 'errors'
      ? t('percent', { share: formatShare(value) })
      : t('secondsShort', { seconds: formatSeconds(value) })
  const names = { p50: t('p50'), p95: t('p95'), failed: t('failed') }
  const series =
    stats && toLineSeries(stats, timing, app).map((one) => ({ ...one, label: names[one.name as keyof typeof names] }))
  const [shownTotal, totalSuffix] = stats ? formatTotal(stats) : [null, '']
  return (
    <ChartCard
      name={words[timing]}
      options={LINE_TIMINGS.map((value) => ({ value, label: words[value] }))}
      selected={timing}
      onSelect={setTiming}
      total={shownTotal}
      totalSuffix={totalSuffix}
      controls={
        apps.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label={t('app')}
            value={app ?? ''}
            data={[{ value: '', label: t('allApps') }, ...apps.map((value) => ({ value, label: getKeyLabel(value) }))]}
            onChange={(event) => setApp(event.currentTarget.value)}
          />
        ) : null
      }
      shape="lines"
      points={stats?.days ?? []}
      pointHead={t('day')}
      formatPoint={formatDay}
      series={series}
      format={format}
    />
  )

  /** For all apps, the value of the whole span. Percentiles cannot be added: for one app it is the last day. */
  function formatTotal({ total, by_app }: RunStats): [figure: string | null, beside: string] {
    if (timing === 'errors') {
      const aggregates = app === null ? [total] : by_app.filter(({ key }) => key === app)
      const failed = aggregates.reduce((aggregate, one) => aggregate + one.failed, 0)
      const runs = aggregates.reduce((aggregate, one) => aggregate + one.runs, 0)
      const share = formatFailureShare(failed, runs)
      return [share === null ? null : t('percent', { share }), t('failedOf', { failed, runs, days })]
    }
    const [medianField, p95Field] = PERCENTILE_FIELDS[timing]
    const last = by_app.findLast((aggregate) => aggregate.key === app && aggregate[medianField] !== null)
    const aggregate = app === null ? total : last
    const p50 = aggregate?.[medianField]
    const p95 = aggregate?.[p95Field]
    if (p50 == null || p95 == null) return [null, '']
    const given = { p95: format(p95), days, day: last ? formatDay(last.day) : '' }
    return [format(p50), t(app === null ? 'ofAll' : 'onDay', given)]
  }

  function getKeyLabel(key: string): string {
    return keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) })
  }
}

const formatShare = (share: number): string => share.toFixed(share === 0 || share === 100 ? 0 : 1)
