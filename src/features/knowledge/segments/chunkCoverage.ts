import type { ChildChunkRecord } from '#domain/documentRecord.ts'

/** A part of the parent's text, from `start` up to `end` in UTF-16 units. */
export interface ChunkRange {
  start: number
  end: number
}
export interface CoverageSpan extends ChunkRange {
  /** Which children (their places in the list) have these words; none for what no child holds. */
  children: number[]
  /** Words that no child holds; blanks alone are no gap. */
  isGap: boolean
}
export interface ChunkCoverage {
  /** In order and without a hole: joined they are the text. */
  spans: CoverageSpan[]
  /** Where each child stands, null where its text is not in the parent's. */
  ranges: (ChunkRange | null)[]
  /** Characters that are not blank and that a child holds, of all that are not blank; 1 for a text of blanks. */
  coveredShare: number
  gaps: ChunkRange[]
}

/**
 * Where the children of a parent stand in its text. Each is looked for behind the beginning of the one before it, then
 * from the start: a text that comes twice belongs to the child whose turn it is.
 */
export function getChunkCoverage(text: string, children: readonly Pick<ChildChunkRecord, 'content'>[]): ChunkCoverage {
  const ranges = findChunkRanges(text, children)
  const edges = new Set([0, text.length])
  for (const range of ranges) if (range) edges.add(range.start).add(range.end)
  const boundaries = [...edges].sort((one, other) => one - other)
  const spans = boundaries.slice(1).map((end, index): CoverageSpan => {
    const start = boundaries[index] ?? 0
    const openChunks = ranges.flatMap((range, child) =>
      range && range.start <= start && range.end >= end ? [child] : [],
    )
    return { start, end, children: openChunks, isGap: openChunks.length === 0 && /\S/.test(text.slice(start, end)) }
  })
  const gaps = spans.filter(({ isGap }) => isGap).map(({ start, end }) => ({ start, end }))
  const all = countVisibleChars(text)
  const uncoveredText = gaps.reduce((sum, { start, end }) => sum + countVisibleChars(text.slice(start, end)), 0)
  return { spans, ranges, coveredShare: all === 0 ? 1 : (all - uncoveredText) / all, gaps }
}

function findChunkRanges(text: string, children: readonly Pick<ChildChunkRecord, 'content'>[]): (ChunkRange | null)[] {
  let from = 0
  return children.map(({ content }) => {
    const words = content?.trim() ?? ''
    if (words === '') return null
    const behind = text.indexOf(words, from)
    const start = behind === -1 ? text.indexOf(words) : behind
    if (start === -1) return null
    from = start + 1
    return { start, end: start + words.length }
  })
}

const countVisibleChars = (text: string): number => text.replace(/\s/g, '').length
