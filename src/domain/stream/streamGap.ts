import type { RunGap } from '#contract/console/runs.ts'

const GAP_MARK_PATTERN = /^: nothing read after frame (\d{1,9}), from (\d{1,15}) to (\d{1,15}) ms$/

/** The first event after a gap is marked by a comment line, which travels with its block. */
export const addGapMark = (block: string, { after_frame, from_ms, to_ms }: RunGap): string =>
  `${block}\n: nothing read after frame ${after_frame}, from ${from_ms} to ${to_ms} ms`

export function readGapMark(block: string): RunGap | null {
  const match = GAP_MARK_PATTERN.exec(block.slice(block.lastIndexOf('\n') + 1))
  return match && { after_frame: Number(match[1]), from_ms: Number(match[2]), to_ms: Number(match[3]) }
}

const gapsBefore = new WeakMap<object, RunGap>()

export function setGapBefore(event: unknown, gap: RunGap | null | undefined): void {
  if (gap && typeof event === 'object' && event !== null) gapsBefore.set(event, gap)
}

export const getGapBefore = (event: unknown): RunGap | undefined =>
  typeof event === 'object' && event !== null ? gapsBefore.get(event) : undefined

/** The gaps in a text that were filled from the platform's record. */
export const closeGaps = ({ gaps }: { gaps?: RunGap[] }): { gaps?: RunGap[] } =>
  gaps ? { gaps: gaps.map((gap) => ({ ...gap, after_chars: null })) } : {}

/** Whether a part of the text may be missing. */
export const hasOpenGap = ({ gaps }: { gaps?: RunGap[] }) => gaps?.some(({ after_chars }) => after_chars !== null)
