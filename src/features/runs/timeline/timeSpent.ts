import type { TimelineSpan, TimelineData } from './timelineSpans.ts'

export interface TimeShare {
  span: TimelineSpan
  /** Of the whole run, 0 to 1. */
  share: number
}

/** Shorter runs are over before one could ask where the time went, seconds. */
const MIN_RUN_SECONDS = 0.05
const MIN_NODE_SHARE = 0.1

/** Where the time of a run went: the nodes of its first level that took a tenth of it or more, at most two, longest first; none where the times do not add up. */
export function findSlowestSpans({ spans, length, isAdditive }: TimelineData): TimeShare[] {
  if (!isAdditive || length < MIN_RUN_SECONDS) return []
  return spans
    .filter(({ depth }) => depth === 0)
    .map((span) => ({ span, share: (span.end - span.start) / length }))
    .filter(({ share }) => share >= MIN_NODE_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, 2)
}

/** The share of a run in which no node worked, 0 to 1. */
export function getIdleShare({ spans, length }: TimelineData): number {
  if (length < MIN_RUN_SECONDS) return 0
  const busy = spans.filter(({ depth }) => depth === 0).sort((a, b) => a.start - b.start)
  let reached = 0
  let worked = 0
  for (const { start, end } of busy) {
    worked += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return Math.min(1, Math.max(0, 1 - worked / length))
}
