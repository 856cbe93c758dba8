import type { ChildChunkRecord } from '../documentRecord.ts'
import { alignText } from './textAlignment.ts'

/** A part of the parent's text, from `start` up to `end` in UTF-16 units. */
export interface ChunkRange {
  start: number
  end: number
}
export interface CoverageSpan extends ChunkRange {
  /** Indexes of the children with this text; empty for a gap. */
  children: number[]
  /** Text that no child contains; blanks alone are no gap. */
  isGap: boolean
}
/** The place of a child in its parent's text. */
export interface ChunkPlacement {
  /** In order, without overlaps: one range, or the common parts if the texts differ. */
  ranges: ChunkRange[]
  /** Whether the parent's text contains the complete text of the child. */
  isExact: boolean
  /** Characters of the child that are not blank and not in the parent's text. */
  foreignChars: number
}
export interface ChunkCoverage {
  /** In order and without gaps: joined they are the text. */
  spans: CoverageSpan[]
  /** Null for a child that has nothing in common with the parent's text. */
  placements: (ChunkPlacement | null)[]
  /** The share of non-blank characters that a child contains; 1 for a blank text. */
  coveredShare: number
  gaps: ChunkRange[]
}

type ChunkText = Pick<ChildChunkRecord, 'content'>

/** The share that a child must have in common with its parent to be placed. */
const MIN_SHARED_PART = 0.3
/** Higher for a short text: two sentences share letters by chance. */
const MIN_SHARED_PART_OF_SHORT = 0.5
const SHORT_TEXT_CHARS = 24

/**
 * The places of the children in their parent's text. Each is searched after the beginning of the previous one, then
 * from the start: a repeated text belongs to the next child in order. A child whose text differs is aligned with the
 * text, first between its neighbours, so that a change of ten characters uncovers about ten characters.
 */
export function getChunkCoverage(text: string, children: readonly ChunkText[]): ChunkCoverage {
  const placements = placeChunks(text, children)
  const spans = toSpans(text, placements)
  const gaps = joinRanges(spans.filter(({ isGap }) => isGap))
  const all = countVisibleChars(text)
  const uncovered = gaps.reduce((sum, { start, end }) => sum + countVisibleChars(text.slice(start, end)), 0)
  return { spans, placements, coveredShare: all === 0 ? 1 : (all - uncovered) / all, gaps }
}

/** Indexes of the children that fit less well to a parent's text after a change. */
export function findStaleChunks(before: string, after: string, children: readonly ChunkText[]): number[] {
  const [former, current] = [placeChunks(before, children), placeChunks(after, children)]
  return children.flatMap((_child, index) => {
    const [was, now] = [former[index], current[index]]
    if (!was) return []
    const isStale = !now || (was.isExact && !now.isExact) || now.foreignChars > was.foreignChars
    return isStale ? [index] : []
  })
}

function placeChunks(text: string, children: readonly ChunkText[]): (ChunkPlacement | null)[] {
  const contents = children.map(({ content }) => content?.trim() ?? '')
  const exact = findExactRanges(text, contents)
  let start = 0
  return contents.map((content, index) => {
    const range = exact[index]
    // Neighbours may overlap.
    const end = exact.slice(index + 1).find((next) => next !== null)?.end ?? text.length
    const placement = range
      ? { ranges: [range], isExact: true, foreignChars: 0 }
      : (alignChunk(text, content, start, end) ?? alignChunk(text, content, 0, text.length))
    start = placement?.ranges[0]?.start ?? start
    return placement
  })
}

function findExactRanges(text: string, contents: readonly string[]): (ChunkRange | null)[] {
  let from = 0
  return contents.map((content) => {
    const behind = text.indexOf(content, from)
    const start = behind === -1 ? text.indexOf(content) : behind
    if (content === '' || start === -1) return null
    from = start + 1
    return { start, end: start + content.length }
  })
}

function alignChunk(text: string, words: string, start: number, end: number): ChunkPlacement | null {
  const parts = alignText(text, words, start, end)
  const all = countVisibleChars(words)
  const shared = parts.reduce((sum, { from, length }) => sum + countVisibleChars(words.slice(from, from + length)), 0)
  const needed = words.length < SHORT_TEXT_CHARS ? MIN_SHARED_PART_OF_SHORT : MIN_SHARED_PART
  if (parts.length === 0 || shared < all * needed) return null
  const ranges = parts.map(({ at, length }) => ({ start: at, end: at + length }))
  return { ranges: joinRanges(ranges), isExact: false, foreignChars: all - shared }
}

/** Cuts the text at every edge of a range. */
function toSpans(text: string, placements: readonly (ChunkPlacement | null)[]): CoverageSpan[] {
  const ranges = placements.flatMap((placement, child) =>
    (placement?.ranges ?? []).map((range) => ({ ...range, child })),
  )
  const edges = new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])])
  const boundaries = [...edges].sort((one, other) => one - other)
  return boundaries.slice(0, -1).map((start, index) => {
    const end = boundaries[index + 1] ?? text.length
    const children = ranges.filter((range) => range.start <= start && end <= range.end).map(({ child }) => child)
    return { start, end, children, isGap: children.length === 0 && /\S/.test(text.slice(start, end)) }
  })
}

function joinRanges(ranges: readonly ChunkRange[]): ChunkRange[] {
  const joined: ChunkRange[] = []
  for (const { start, end } of ranges) {
    const last = joined.at(-1)
    if (last && last.end === start) last.end = end
    else joined.push({ start, end })
  }
  return joined
}

const countVisibleChars = (text: string): number => text.replace(/\s/g, '').length
