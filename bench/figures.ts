/** One measurement of a bench: its name, its value, and its reference in the same run. */
export interface Figure {
  what: string
  value: number
  unit: string
  against?: string | undefined
  goal?: string | undefined
}

export const toFigure = (
  what: string,
  value: number,
  unit = '',
  reference: Pick<Figure, 'against' | 'goal'> = {},
): Figure => ({ what, value, unit, ...reference })

/** The nearest value of the sorted list, `NaN` of an empty one. @param percent 0 to 100. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 50)
