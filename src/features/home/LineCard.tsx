import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import type { Figures } from '#contract/figures.ts'
import { seconds } from '../../run/figures.ts'
import { useWords } from '../../ui/words.ts'
import { ChartCard } from './ChartCard.tsx'
import { dayWords } from './days.ts'
import { homeWords } from './messages.ts'
import { linesOf, type Series, shareOf, type Timing } from './series.ts'

const TIMINGS = ['answer', 'first_token', 'errors'] as const
const FIELDS = { answer: ['p50', 'p95'], first_token: ['first_token_p50', 'first_token_p95'] } as const

export interface LineCardProps {
  figures: Figures | undefined
  keys: readonly Key[]
  days: number
}

/**
 * How long answers took, day by day: half of them less than p50, nineteen of twenty less than p95; or which share of the
 * runs failed. Of all apps, or of one.
 */
export function LineCard({ figures, keys, days }: LineCardProps) {
  const t = useWords(homeWords)
  const [timing, setTiming] = useState<Timing>('answer')
  const [chosen, setApp] = useState('')
  const apps = [...new Set(figures?.by_app.map(({ key }) => key))]
  const app = apps.includes(chosen) ? chosen : null
  const words = { answer: t('answerTime'), first_token: t('firstToken'), errors: t('errorRate') }
  const format = (value: number) =>
    timing === 'errors' ? t('percent', { share: short(value) }) : t('seconds', { seconds: seconds(value) })
  const names = { p50: t('p50'), p95: t('p95'), failed: t('failed') }
  const series = figures && linesOf(figures, timing, app)
  const [figure, beside] = figures ? figureOf(figures) : [null, '']
  return (
    <ChartCard
      name={words[timing]}
      choices={TIMINGS.map((value) => ({ value, label: words[value] }))}
      choice={timing}
      onChoice={setTiming}
      figure={figure}
      beside={beside}
      more={
        apps.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label={t('appOf')}
            value={app ?? ''}
            data={[{ value: '', label: t('allApps') }, ...apps.map((value) => ({ value, label: labelOf(value) }))]}
            onChange={(event) => setApp(event.currentTarget.value)}
          />
        ) : null
      }
      shape="lines"
      days={figures?.days ?? []}
      series={series}
      nameOf={({ name }: Series) => names[name as keyof typeof names]}
      format={format}
    />
  )

  /** Of all apps what the whole span comes to. Percentiles cannot be added: of one app it is its last day. */
  function figureOf({ total, by_app }: Figures): [figure: string | null, beside: string] {
    if (timing === 'errors') {
      const sums = app === null ? [total] : by_app.filter(({ key }) => key === app)
      const failed = sums.reduce((sum, one) => sum + one.failed, 0)
      const runs = sums.reduce((sum, one) => sum + one.runs, 0)
      const share = shareOf(failed, runs)
      return [share === null ? null : t('percent', { share }), t('failedOf', { failed, runs, days })]
    }
    const [half, most] = FIELDS[timing]
    const last = by_app.findLast((sum) => sum.key === app && sum[half] !== null)
    const sum = app === null ? total : last
    const p50 = sum?.[half]
    const p95 = sum?.[most]
    if (p50 == null || p95 == null) return [null, '']
    const given = { p95: format(p95), days, day: last ? dayWords(last.day) : '' }
    return [format(p50), t(app === null ? 'ofAll' : 'onDay', given)]
  }

  function labelOf(key: string): string {
    return keys.find(({ id }) => id === key)?.label ?? t('deletedKey', { id: key.slice(0, 8) })
  }
}

const short = (share: number): string => share.toFixed(share === 0 || share === 100 ? 0 : 1)
