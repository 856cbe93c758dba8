import type { TimelineSpan } from './timelineSpans.ts'

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

/** A range without node activity, seconds since the start of the run. */
interface TimelineGap {
  from: number
  to: number
}

/** The axis of a run: maps times to positions. With hidden gaps it is shorter than the run. */
export interface TimeScale {
  length: number
  gaps: readonly TimelineGap[]
  toPosition: (time: number) => number
}

/** Minimum share of the run, and minimum seconds, of a reported gap. */
const MIN_GAP_SHARE = 0.05
const MIN_GAP_SECONDS = 0.2
/** The width of a hidden gap, as a share of the active time. */
const HIDDEN_GAP_SHARE = 0.03

/** The ranges of a run without node activity. */
export function findGaps(spans: readonly TimelineSpan[], length: number): TimelineGap[] {
  const busy = spans.filter(({ kind }) => kind === 'node').sort((one, other) => one.start - other.start)
  const minGapSeconds = Math.max(MIN_GAP_SECONDS, MIN_GAP_SHARE * length)
  const gaps: TimelineGap[] = []
  let reached = 0
  for (const { start, end } of busy) {
    if (start - reached >= minGapSeconds) gaps.push({ from: reached, to: start })
    reached = Math.max(reached, end)
  }
  if (busy.length > 0 && length - reached >= minGapSeconds) gaps.push({ from: reached, to: length })
  return gaps
}

/** A linear axis, or one with each gap as a short mark. */
export function makeTimeScale(length: number, gaps: readonly TimelineGap[], hidesGaps: boolean): TimeScale {
  if (!hidesGaps || gaps.length === 0) return { length, gaps, toPosition: (time) => time }
  const idle = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  const left = Math.max((length - idle) * HIDDEN_GAP_SHARE, MIN_GAP_SECONDS / 20)
  const at = (time: number): number =>
    gaps.reduce((shown, { from, to }) => {
      const past = Math.min(Math.max(time - from, 0), to - from)
      return shown - past * (1 - Math.min(1, left / (to - from)))
    }, time)
  return { length: at(length), gaps, toPosition: at }
}

/** A tick label and its position in the view, 0 to 1. */
export interface AxisTick {
  tick: number
  share: number
}

interface AxisTickOptions {
  view: AxisView
  scale: TimeScale
  hidesGaps: boolean
  /** Limits: number, maximum position, and minimum distance of ticks. */
  maxTicks: number
  maxShare: number
  minDistance: number
}

/** Round times of the axis; with hidden gaps, the start times of the nodes after each gap. */
export function toAxisTicks({ view, scale, hidesGaps, maxTicks, maxShare, minDistance }: AxisTickOptions): AxisTick[] {
  if (!hidesGaps || scale.gaps.length === 0)
    return listTicks(view, maxTicks)
      .map((tick) => ({ tick, share: toAxisShare(tick, view) }))
      .filter(({ share }) => share < maxShare)
  const times = [0, ...scale.gaps.map(({ to }) => Number(to.toPrecision(4)))]
  return times
    .map((tick) => ({ tick, at: scale.toPosition(tick) }))
    .filter(({ at }) => at >= view.from && at <= view.to)
    .map(({ tick, at }) => ({ tick, share: toAxisShare(at, view) }))
    .filter(({ share }, index, all) => share < maxShare && share - (all[index - 1]?.share ?? -1) >= minDistance)
}
