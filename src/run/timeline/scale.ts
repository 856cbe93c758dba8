import type { Span } from './spans.ts'

/** A stretch in which no node was at work, seconds since the run began. */
export interface Gap {
  from: number
  to: number
}

/** The axis of a run: where a time stands on it. With gaps left out it is shorter than the run. */
export interface Scale {
  length: number
  gaps: readonly Gap[]
  at: (time: number) => number
}

/** A gap is worth a word when it has this share of the run, and as many seconds. */
const SHARE = 0.05
const LEAST = 0.2
/** What is left of a gap that is left out, as a share of the time at work. */
const LEFT = 0.03

/** The stretches of a run in which no node was at work. */
export function gapsOf(spans: readonly Span[], length: number): Gap[] {
  const busy = spans.filter(({ kind }) => kind === 'node').sort((one, other) => one.start - other.start)
  const least = Math.max(LEAST, SHARE * length)
  const gaps: Gap[] = []
  let reached = 0
  for (const { start, end } of busy) {
    if (start - reached >= least) gaps.push({ from: reached, to: start })
    reached = Math.max(reached, end)
  }
  if (busy.length > 0 && length - reached >= least) gaps.push({ from: reached, to: length })
  return gaps
}

/** The axis as time goes, or with each gap as a short mark. */
export function scaleOf(length: number, gaps: readonly Gap[], leavesOut: boolean): Scale {
  if (!leavesOut || gaps.length === 0) return { length, gaps, at: (time) => time }
  const idle = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  const left = Math.max((length - idle) * LEFT, LEAST / 20)
  const at = (time: number): number =>
    gaps.reduce((shown, { from, to }) => {
      const past = Math.min(Math.max(time - from, 0), to - from)
      return shown - past * (1 - Math.min(1, left / (to - from)))
    }, time)
  return { length: at(length), gaps, at }
}
