import type { RunStats } from '#contract/console/stats.ts'
import { OTHER_SERIES_NAME } from '../../components/charts/chartSeries.ts'

/** What the bars of a day say, app by app. */
export type BarMeasure = 'tokens' | 'runs' | 'price' | 'failed'
/** What the lines say: the time of a whole answer, or until its first token; or which share of the runs failed. */
export type LineTiming = 'answer' | 'first_token' | 'errors'

/** A series of a chart: an app by its key, or the rest of them together. */
export interface AppSeries {
  name: string
  keys: readonly string[]
  /** The value of each day of the span; null where no run of that day gave one. */
  values: readonly (number | null)[]
}

/** Apps with their own series, those with the highest values; the rest is one series. */
export const MAX_SEPARATE_APPS = 3

/** The bars: one series an app, largest first, and the rest as one. A price is of one currency. */
export function toBarSeries(stats: RunStats, measure: BarMeasure, currency: string): AppSeries[] {
  const values = new Map<string, Map<string, number>>()
  const add = (key: string, day: string, value: number | null) => {
    if (value === null) return
    const days = values.get(key) ?? new Map<string, number>()
    values.set(key, days.set(day, (days.get(day) ?? 0) + value))
  }
  if (measure === 'price')
    for (const price of stats.prices) if (price.currency === currency) add(price.key, price.day, Number(price.total))
  if (measure !== 'price') for (const sum of stats.by_app) add(sum.key, sum.day, sum[measure])
  const getTotal = (days: Map<string, number>) => [...days.values()].reduce((one, other) => one + other, 0)
  const apps = [...values]
    .filter(([, days]) => getTotal(days) > 0)
    .sort(([, one], [, other]) => getTotal(other) - getTotal(one))
  const toSeries = (name: string, members: typeof apps): AppSeries => ({
    name,
    keys: members.map(([key]) => key),
    values: stats.days.map((day) => {
      const given = members.flatMap(([, days]) => days.get(day) ?? [])
      return given.length === 0 ? null : given.reduce((one, other) => one + other, 0)
    }),
  })
  const isFew = apps.length <= MAX_SEPARATE_APPS + 1
  const separateApps = isFew ? apps : apps.slice(0, MAX_SEPARATE_APPS)
  const otherApps = isFew ? [] : [toSeries(OTHER_SERIES_NAME, apps.slice(MAX_SEPARATE_APPS))]
  return [...separateApps.map((app) => toSeries(app[0], [app])), ...otherApps]
}

const TIMING_FIELDS = {
  answer: { p50: 'p50', p95: 'p95' },
  first_token: { p50: 'first_token_p50', p95: 'first_token_p95' },
} as const

/** The lines of a timing in milliseconds, or the one of failures in percent: of an app by its key, or of all together. */
export function toLineSeries(stats: RunStats, timing: LineTiming, key: string | null = null): AppSeries[] {
  const aggregates = key === null ? stats.by_day : stats.by_app.filter((aggregate) => aggregate.key === key)
  const byDay = new Map(aggregates.map((aggregate) => [aggregate.day, aggregate]))
  if (timing === 'errors') {
    const values = stats.days.map((day) => {
      const { failed = 0, runs = 0 } = byDay.get(day) ?? {}
      return runs === 0 ? null : (failed / runs) * 100
    })
    return [{ name: 'failed', keys: [], values }]
  }
  const fields = TIMING_FIELDS[timing]
  const line = (name: 'p50' | 'p95'): AppSeries => ({
    name,
    keys: [],
    values: stats.days.map((day) => byDay.get(day)?.[fields[name]] ?? null),
  })
  return [line('p50'), line('p95')]
}

/** What is failed of what ran, in percent with one digit; null where nothing ran. */
export const formatFailureShare = (failed: number, runs: number): string | null =>
  runs === 0 ? null : ((failed / runs) * 100).toFixed(failed === 0 || failed === runs ? 0 : 1)

/** 1,234 unchanged, 12,345 as 12.3 k, 4,850,000 as 4.85 M. */
export function formatCompactNumber(value: number): string {
  if (value < 10_000) return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 4 : 0 })
  const [divisor, unit] = value < 999_500 ? [1_000, 'k'] : value < 999_500_000 ? [1_000_000, 'M'] : [1_000_000_000, 'G']
  return `${Number((value / divisor).toPrecision(3))} ${unit}`
}

/** Days that a chart shows at least. */
const MIN_CHART_DAYS = 7

/** Without the days before the first run: a chart of one bar among thirteen empty days shows little. */
export function trimEmptyDays(stats: RunStats): RunStats {
  const first = stats.days.findIndex((day) => stats.by_day.some((one) => one.day === day))
  const start = first < 0 ? 0 : Math.max(0, Math.min(first, stats.days.length - MIN_CHART_DAYS))
  return { ...stats, days: stats.days.slice(start) }
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `2026-11-08` as `8 Nov`. The day is one of the person's own zone already. */
export const formatDay = (day: string): string => DAY_FORMAT.format(new Date(`${day}T00:00:00Z`))
