import { shareOf, ticksOf, type View } from './axis.ts'
import type { Scale } from './scale.ts'

/** A time that is written on the axis, and where it stands in the view, 0 to 1. */
export interface Mark {
  tick: number
  share: number
}

export interface MarksGiven {
  view: View
  scale: Scale
  leavesOut: boolean
  /** So many at most, none behind the share `room`, and two no closer than `distance`. */
  most: number
  room: number
  distance: number
}

/** Round times of the axis; where gaps are left out, when the nodes behind each gap began. */
export function marksOf({ view, scale, leavesOut, most, room, distance }: MarksGiven): Mark[] {
  if (!leavesOut || scale.gaps.length === 0)
    return ticksOf(view, most)
      .map((tick) => ({ tick, share: shareOf(tick, view) }))
      .filter(({ share }) => share < room)
  const times = [0, ...scale.gaps.map(({ to }) => Number(to.toPrecision(4)))]
  return times
    .map((tick) => ({ tick, at: scale.at(tick) }))
    .filter(({ at }) => at >= view.from && at <= view.to)
    .map(({ tick, at }) => ({ tick, share: shareOf(at, view) }))
    .filter(({ share }, index, all) => share < room && share - (all[index - 1]?.share ?? -1) >= distance)
}
