/** One measurement of a bench: its name, its value, and its reference in the same run. */
export interface Figure {
  what: string
  value: number
  unit: string
  against?: string | undefined
  goal?: string | undefined
}

/** By which a bench measures a part of itself. */
export interface BenchOptions {
  /** Of `ledger`: `pglite`, `postgres` or `writing`. */
  part?: string
  /** Of `streams`: the number of rounds, and at most so many streams. */
  rounds?: string
  streams?: string
  /** Of `retrieval`: the folder of the collections, and the names of those that are measured. */
  collections?: string
  only?: string[]
  /** Of `page`: a commit whose pages are loaded in turn with these. */
  against?: string
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
