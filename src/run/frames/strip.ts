import { SLOW } from './summary.ts'
import { type FrameTable, gapOf } from './table.ts'

export type BarKind = 'words' | 'other' | 'slow'

/** One bar of the strip: the longest gap of the frames `from` to `to`, and how high it stands (0 to 1, logarithmic). */
export interface Bar {
  from: number
  to: number
  kind: BarKind
  height: number
}

/** Milliseconds at the foot and at the top of the strip. */
const FOOT = 3
const TOP = 3_000
const LEAST = 0.04

/** How high a gap stands in the strip, 0 to 1. */
export const heightOf = (gap: number): number =>
  Math.min(1, Math.max(LEAST, Math.log10(Math.max(gap, FOOT) / FOOT) / Math.log10(TOP / FOOT)))

/** The bars of a run: one a frame, or one for several where there are more than `most`. */
export function barsOf(table: FrameTable, most: number): Bar[] {
  const { count, kinds } = table
  const bars = Math.min(count, most)
  return Array.from({ length: bars }, (_, index) => {
    const from = Math.floor((index * count) / bars) + 1
    const to = Math.floor(((index + 1) * count) / bars)
    let longest = 0
    let hasWords = false
    for (let seq = from; seq <= to; seq++) {
      longest = Math.max(longest, gapOf(table, seq))
      hasWords ||= kinds[seq - 1] === 'words'
    }
    return { from, to, kind: longest > SLOW ? 'slow' : hasWords ? 'words' : 'other', height: heightOf(longest) }
  })
}
