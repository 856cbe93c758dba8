/** A series of a chart, and its name for readers. */
export interface ChartSeries {
  name: string
  label: string
  /** The value of each point; null without one. */
  values: readonly (number | null)[]
}

/** The name of the series that combines the rest: it is grey. */
export const OTHER_SERIES_NAME = 'rest'

/** Whether a value has no neighbour, so that a line alone would not show it. */
export const isIsolatedPoint = ({ values }: Pick<ChartSeries, 'values'>): boolean =>
  values.some((value, at) => value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null)
