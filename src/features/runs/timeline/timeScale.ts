import type { TimelineSpan } from './timelineSpans.ts'

/** A range without node activity, seconds since the start of the run. */
export interface TimelineGap {
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
