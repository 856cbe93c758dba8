/** The visible part of the axis, seconds since the start of the run. */
export interface AxisView {
  from: number
  to: number
}

const TICK_STEPS = [1, 2, 3, 5]
const DEFAULT_MAX_TICKS = 7
/** The shortest view, as a fraction of the whole. */
const MIN_VIEW_SHARE = 1e-5

/** Round times in a view, about `maxTicks` of them. */
export function listTicks({ from, to }: AxisView, maxTicks = DEFAULT_MAX_TICKS): number[] {
  const length = to - from
  if (!(length > 0) || !Number.isFinite(length)) return [0]
  const power = 10 ** Math.floor(Math.log10(length / maxTicks))
  const step = [...TICK_STEPS, ...TICK_STEPS.map((one) => one * 10)]
    .map((one) => one * power)
    .find((one) => length / one < maxTicks)
  const size = step ?? length
  const slack = length * 1e-6
  const first = Math.ceil((from - slack) / size)
  const ticks: number[] = []
  for (let index = first; index * size <= to + slack && ticks.length < maxTicks + 1; index++)
    ticks.push(Number((index * size).toPrecision(12)))
  return ticks
}

/** The position of a time in the view, clamped to 0 to 1. */
export const toAxisShare = (time: number, { from, to }: AxisView): number =>
  to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0

/** A range with some padding. */
export function padView(start: number, end: number): AxisView {
  const air = Math.max((end - start) * 0.1, 0.001)
  return { from: Math.max(0, start - air), to: end + air }
}

/** Zooms a view by a factor around a fixed time, within the whole; null for all of it. */
export function zoomView({ from, to }: AxisView, middle: number, factor: number, fullLength: number): AxisView | null {
  const length = Math.max((to - from) * factor, fullLength * MIN_VIEW_SHARE)
  if (length >= fullLength) return null
  const share = to > from ? Math.min(1, Math.max(0, (middle - from) / (to - from))) : 0.5
  const begin = Math.min(Math.max(0, middle - share * length), fullLength - length)
  return { from: begin, to: begin + length }
}
