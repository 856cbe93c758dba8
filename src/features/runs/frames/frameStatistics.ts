import type { EventCut } from '#domain/stream/cutEvent.ts'
import { type FrameTable, getGapMs } from './frameTable.ts'

/** A longer gap counts as slow (ms). */
export const SLOW_GAP_MS = 150

/** Statistics of the gaps between the frames of a run (ms). Null without frames. */
export interface FrameSummary {
  median: number
  p95: number
  longest: { seq: number; gap: number }
  /** Frames per second between the first and the last, null if they arrived together. */
  rate: number | null
}

export function summarizeFrames(table: Pick<FrameTable, 'frames' | 'count'>): FrameSummary | null {
  const { frames, count } = table
  if (count === 0) return null
  const gaps = new Float64Array(count)
  let longest = { seq: 1, gap: -1 }
  for (let index = 0; index < count; index++) {
    const gap = getGapMs(table, index + 1)
    gaps[index] = gap
    if (gap > longest.gap) longest = { seq: index + 1, gap }
  }
  gaps.sort()
  const took = (frames[count - 1]?.at ?? 0) - (frames[0]?.at ?? 0)
  return {
    median: gaps[Math.floor(count / 2)] ?? 0,
    p95: gaps[Math.min(count - 1, Math.floor(count * 0.95))] ?? 0,
    longest,
    rate: took > 0 ? ((count - 1) / took) * 1000 : null,
  }
}

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

/** Formats a gap: whole milliseconds below one second, seconds above. */
export const formatGap = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`)

/** The numbers of a sentence about a cut frame. */
export const formatCut = ({ stored, size }: EventCut) => ({
  stored: stored.toLocaleString('en'),
  size: size.toLocaleString('en'),
})

/** Formats a size for the narrow column: bytes, then kilobytes with one digit. */
export const formatSize = (bytes: number): string =>
  bytes < 1000 ? String(bytes) : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)}k` : `${(bytes / 1e6).toFixed(1)}M`
