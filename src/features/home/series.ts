import type { Figures } from '#contract/figures.ts'

/** What the bars of a day say, app by app. */
export type Measure = 'tokens' | 'runs' | 'price' | 'failed'
/** What the lines say: the time of a whole answer, or until its first token; or which share of the runs failed. */
export type Timing = 'answer' | 'first_token' | 'errors'

/** A series of a chart: an app by its key, or the rest of them together. */
export interface Series {
  name: string
  keys: readonly string[]
  /** The value of each day of the span; null where no run of that day gave one. */
  values: readonly (number | null)[]
}

/** Apps drawn for themselves, those with the most; the rest stands as one. */
export const APART = 3
export const REST = 'rest'

/** The bars: one series an app, largest first, and the rest as one. A price is of one currency. */
export function barsOf(figures: Figures, measure: Measure, currency: string): Series[] {
  const values = new Map<string, Map<string, number>>()
  const add = (key: string, day: string, value: number | null) => {
    if (value === null) return
    const days = values.get(key) ?? new Map<string, number>()
    values.set(key, days.set(day, (days.get(day) ?? 0) + value))
  }
  if (measure === 'price')
    for (const price of figures.prices) if (price.currency === currency) add(price.key, price.day, Number(price.total))
  if (measure !== 'price') for (const sum of figures.by_app) add(sum.key, sum.day, sum[measure])
  const sumOf = (days: Map<string, number>) => [...days.values()].reduce((one, other) => one + other, 0)
  const apps = [...values].filter(([, days]) => sumOf(days) > 0).sort(([, one], [, other]) => sumOf(other) - sumOf(one))
  const seriesOf = (name: string, members: typeof apps): Series => ({
    name,
    keys: members.map(([key]) => key),
    values: figures.days.map((day) => {
      const given = members.flatMap(([, days]) => days.get(day) ?? [])
      return given.length === 0 ? null : given.reduce((one, other) => one + other, 0)
    }),
  })
  const isFew = apps.length <= APART + 1
  const alone = isFew ? apps : apps.slice(0, APART)
  const rest = isFew ? [] : [seriesOf(REST, apps.slice(APART))]
  return [...alone.map((app) => seriesOf(app[0], [app])), ...rest]
}

const FIELDS = {
  answer: { p50: 'p50', p95: 'p95' },
  first_token: { p50: 'first_token_p50', p95: 'first_token_p95' },
} as const

/** The lines of a timing in milliseconds, or the one of failures in percent: of an app by its key, or of all together. */
export function linesOf(figures: Figures, timing: Timing, key: string | null = null): Series[] {
  const sums = key === null ? figures.by_day : figures.by_app.filter((sum) => sum.key === key)
  const byDay = new Map(sums.map((sum) => [sum.day, sum]))
  if (timing === 'errors') {
    const values = figures.days.map((day) => {
      const { failed = 0, runs = 0 } = byDay.get(day) ?? {}
      return runs === 0 ? null : (failed / runs) * 100
    })
    return [{ name: 'failed', keys: [], values }]
  }
  const fields = FIELDS[timing]
  const line = (name: 'p50' | 'p95'): Series => ({
    name,
    keys: [],
    values: figures.days.map((day) => byDay.get(day)?.[fields[name]] ?? null),
  })
  return [line('p50'), line('p95')]
}

/** Whether a value has no neighbour, so that a line alone would not show it. */
export const standsAlone = ({ values }: Series): boolean =>
  values.some((value, at) => value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null)

/** What is failed of what ran, in percent with one digit; null where nothing ran. */
export const shareOf = (failed: number, runs: number): string | null =>
  runs === 0 ? null : ((failed / runs) * 100).toFixed(failed === 0 || failed === runs ? 0 : 1)

/** 1,234 as it is, 12,345 as 12.3 k, 4,850,000 as 4.85 M. */
export function short(value: number): string {
  if (value < 10_000) return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 4 : 0 })
  const [divisor, unit] = value < 999_500 ? [1_000, 'k'] : value < 999_500_000 ? [1_000_000, 'M'] : [1_000_000_000, 'G']
  return `${Number((value / divisor).toPrecision(3))} ${unit}`
}
