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
