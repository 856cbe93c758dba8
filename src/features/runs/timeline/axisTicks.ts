import { toAxisShare, listTicks, type AxisView } from './timeAxis.ts'
import type { TimeScale } from './timeScale.ts'

/** A tick label and its position in the view, 0 to 1. */
export interface AxisTick {
  tick: number
  share: number
}

export interface AxisTickOptions {
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
