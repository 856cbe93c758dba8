/** The part of the axis that is shown, seconds since the run began. */
export interface View {
  from: number
  to: number
}

const STEPS = [1, 2, 3, 5]
const MOST_TICKS = 7
/** The shortest view, as a share of the whole. */
const SHORTEST = 1e-5

/** Round times in a view, about `most` of them. */
export function ticksOf({ from, to }: View, most = MOST_TICKS): number[] {
  const length = to - from
  if (!(length > 0) || !Number.isFinite(length)) return [0]
  const power = 10 ** Math.floor(Math.log10(length / most))
  const step = [...STEPS, ...STEPS.map((one) => one * 10)].map((one) => one * power).find((one) => length / one < most)
  const size = step ?? length
  const slack = length * 1e-6
  const first = Math.ceil((from - slack) / size)
  const ticks: number[] = []
  for (let index = first; index * size <= to + slack && ticks.length < most + 1; index++)
    ticks.push(Number((index * size).toPrecision(12)))
  return ticks
}

/** A time as a share of the view, kept within it. */
export const shareOf = (time: number, { from, to }: View): number =>
  to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0

/** A stretch with a little air around it. */
export function around(start: number, end: number): View {
  const air = Math.max((end - start) * 0.1, 0.001)
  return { from: Math.max(0, start - air), to: end + air }
}

/** A view that is shorter or longer by a factor, about a time that stays where it is, and within the whole; null for all of it. */
export function zoomed({ from, to }: View, middle: number, factor: number, whole: number): View | null {
  const length = Math.max((to - from) * factor, whole * SHORTEST)
  if (length >= whole) return null
  const share = to > from ? Math.min(1, Math.max(0, (middle - from) / (to - from))) : 0.5
  const begin = Math.min(Math.max(0, middle - share * length), whole - length)
  return { from: begin, to: begin + length }
}
