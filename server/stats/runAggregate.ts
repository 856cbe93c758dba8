/** Runs of one app and day with the same status and currency. */
export interface DailyRunAggregate {
  workspace_id: string
  key_id: string
  status: string
  currency: string
  runs: number
  tokens: number | null
  without_usage: number
  price: string | null
  durations: DurationCounts
  first_tokens: DurationCounts
}

/** Alternating: a duration in milliseconds and its count. */
export type DurationCounts = readonly number[]

/** Durations rounded to three digits, the precision of the display. `text` contains them separated by blanks. */
export function toDurationCounts(text: string | null): DurationCounts {
  const countByDuration = new Map<number, number>()
  for (const time of text?.split(' ') ?? []) {
    const rounded = toThreeDigits(Number(time))
    countByDuration.set(rounded, (countByDuration.get(rounded) ?? 0) + 1)
  }
  return [...countByDuration].flat()
}

function toThreeDigits(time: number): number {
  if (time < 1000) return time
  const step = 10 ** (Math.floor(Math.log10(time)) - 2)
  return Math.round(time / step) * step
}
