import type { Span, Timeline } from './spans.ts'

export interface Spent {
  span: Span
  /** Of the whole run, 0 to 1. */
  share: number
}

/** Shorter runs are over before one could ask where the time went, seconds. */
const SHORTEST = 0.05
const LEAST = 0.1

/** Where the time of a run went: the nodes of its first level that took a tenth of it or more, at most two, longest first. */
export function whereTimeWent({ spans, length }: Timeline): Spent[] {
  if (length < SHORTEST) return []
  return spans
    .filter(({ depth }) => depth === 0)
    .map((span) => ({ span, share: (span.end - span.start) / length }))
    .filter(({ share }) => share >= LEAST)
    .sort((a, b) => b.share - a.share)
    .slice(0, 2)
}

/** The share of a run in which no node worked, 0 to 1. */
export function idleShare({ spans, length }: Timeline): number {
  if (length < SHORTEST) return 0
  const busy = spans.filter(({ depth }) => depth === 0).sort((a, b) => a.start - b.start)
  let reached = 0
  let worked = 0
  for (const { start, end } of busy) {
    worked += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return Math.min(1, Math.max(0, 1 - worked / length))
}
