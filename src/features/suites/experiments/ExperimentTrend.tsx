import { Box } from '@mantine/core'
import { useState } from 'react'
import { experimentTrendEndpoints, type TrendPoint } from '#contract/console/experiments/experimentTrend.ts'
import type { Suite } from '#contract/console/suites.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { useRead } from '../../../client/query.ts'
import { ChartCard } from '../../../components/charts/ChartCard.tsx'
import type { ChartSeries } from '../../../components/charts/chartSeries.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { trendMessages } from '../messages.ts'

const MEASURES = ['passRate', 'latency', 'tokens'] as const
type Measure = (typeof MEASURES)[number]
const MIN_POINTS = 2

/** Pass rate, times and tokens over the last experiments of a suite; nothing before there are two. */
export function ExperimentTrend({ suite }: { suite: Suite }) {
  const t = useMessages(trendMessages)
  const read = useRead(experimentTrendEndpoints.listExperimentTrend, { params: { suite_id: suite.id } })
  return (
    <ReadBoundary read={read} action={t('trendWhat')} loading={null} isEmpty={({ data }) => data.length < MIN_POINTS}>
      {({ data }) => <TrendChart points={data} />}
    </ReadBoundary>
  )
}

function TrendChart({ points }: { points: readonly TrendPoint[] }) {
  const t = useMessages(trendMessages)
  const [chosen, setMeasure] = useState<Measure>('passRate')
  const labels = { passRate: t('passRate'), latency: t('latency'), tokens: t('tokens') }
  // A retrieval has no tokens.
  const measures = MEASURES.filter((name) => name !== 'tokens' || points.some(({ tokens }) => tokens !== null))
  const measure = measures.includes(chosen) ? chosen : 'passRate'
  const format = (value: number) =>
    measure === 'passRate'
      ? t('percent', { share: Math.round(value) })
      : measure === 'latency'
        ? t('secondsShort', { seconds: formatSeconds(value) })
        : formatCount(value)
  const [total, totalSuffix] = describeNewest()
  return (
    <Box component="section" px="lg" py="md" miw={0} aria-label={t('trend')}>
      <ChartCard
        name={labels[measure]}
        options={measures.map((value) => ({ value, label: labels[value] }))}
        selected={measure}
        onSelect={setMeasure}
        total={total}
        totalSuffix={totalSuffix}
        shape="lines"
        points={points.map(({ experiment }) => experiment)}
        pointHead={t('experimentHead')}
        formatPoint={formatPoint}
        series={listSeries()}
        format={format}
        max={measure === 'passRate' ? 100 : undefined}
      />
    </Box>
  )

  function formatPoint(id: string): string {
    const point = points.find(({ experiment }) => experiment === id)
    if (!point) return ''
    const at = formatDateTime(point.created_at)
    return point.is_baseline ? t('baselinePoint', { at }) : at
  }

  function listSeries(): ChartSeries[] {
    const line = (name: string, label: string, getValue: (point: TrendPoint) => number | null): ChartSeries => ({
      name,
      label,
      values: points.map(getValue),
    })
    if (measure === 'tokens') return [line('tokens', t('tokens'), ({ tokens }) => tokens)]
    if (measure === 'latency')
      return [
        line('p50', t('p50'), ({ latency }) => latency?.p50 ?? null),
        line('p95', t('p95'), ({ latency }) => latency?.p95 ?? null),
      ]
    return [
      line('rate', t('passRateLine'), ({ pass_rate: { passed, total: all } }) => toPercent(passed / all)),
      line('low', t('low'), ({ pass_rate: { low } }) => toPercent(low)),
      line('high', t('high'), ({ pass_rate: { high } }) => toPercent(high)),
    ]
  }

  /** The figure of the newest experiment, and what belongs to it. */
  function describeNewest(): [figure: string | null, beside: string] {
    const newest = points.at(-1)
    if (!newest) return [null, '']
    const { pass_rate: rate, latency, tokens } = newest
    if (measure === 'tokens') return [tokens === null ? null : format(tokens), t('newestExperiment')]
    if (measure === 'latency')
      return latency ? [format(latency.p50), t('p95Of', { p95: format(latency.p95) })] : [null, '']
    const { passed, total: all, low, high } = rate
    if (all === 0) return [null, '']
    const interval = { low: Math.round(toPercent(low) ?? 0), high: Math.round(toPercent(high) ?? 0) }
    return [format((passed / all) * 100), t('passedOf', { passed, total: all, ...interval })]
  }
}

/** Null without cases. */
const toPercent = (share: number | null): number | null => (share === null || Number.isNaN(share) ? null : share * 100)
