import { SLOW_GAP_MS } from './frameSummary.ts'
import { type FrameTable, getGapMs } from './frameTable.ts'

export type FrameBarKind = 'words' | 'other' | 'slow'

/** One bar of the strip: the longest gap of frames `from` to `to`, and its height (0 to 1, logarithmic). */
export interface FrameBar {
  from: number
  to: number
  kind: FrameBarKind
  height: number
}

/** The gaps at the bottom and the top of the scale (ms). */
const MIN_SCALE_GAP_MS = 3
const MAX_SCALE_GAP_MS = 3_000
const MIN_BAR_HEIGHT = 0.04

/** The height of a gap in the strip, 0 to 1. */
export const toBarHeight = (gap: number): number =>
  Math.min(
    1,
    Math.max(
      MIN_BAR_HEIGHT,
      Math.log10(Math.max(gap, MIN_SCALE_GAP_MS) / MIN_SCALE_GAP_MS) / Math.log10(MAX_SCALE_GAP_MS / MIN_SCALE_GAP_MS),
    ),
  )

/** The bars of a run: one per frame, or one for several if there are more than `maxBars`. */
export function toFrameBars(table: FrameTable, maxBars: number): FrameBar[] {
  const { count, kinds } = table
  const bars = Math.min(count, maxBars)
  return Array.from({ length: bars }, (_, index) => {
    const from = Math.floor((index * count) / bars) + 1
    const to = Math.floor(((index + 1) * count) / bars)
    let longest = 0
    let hasWords = false
    for (let seq = from; seq <= to; seq++) {
      longest = Math.max(longest, getGapMs(table, seq))
      hasWords ||= kinds[seq - 1] === 'words'
    }
    return {
      from,
      to,
      kind: longest > SLOW_GAP_MS ? 'slow' : hasWords ? 'words' : 'other',
      height: toBarHeight(longest),
    }
  })
}
