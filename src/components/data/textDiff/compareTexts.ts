import { type Change, diffLines, diffWordsWithSpace } from 'diff'

/** A piece of a diff: unchanged, inserted or deleted. */
export interface DiffPiece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

export interface TextComparison {
  pieces: DiffPiece[]
  /** What was compared: words, whole lines where words would take too long, or only the common prefix and suffix. */
  granularity: 'words' | 'lines' | 'ends'
}

/** Maximum characters of both texts for a comparison by words, and by lines. */
const MAX_WORD_DIFF_CHARS = 60_000
const MAX_LINE_DIFF_CHARS = 2_000_000
/** Maximum edit distance; two texts with more have little in common. */
const MAX_EDIT_COUNT = 6_000

/** Compares two texts in bounded time: by words, else by lines, else by common prefix and suffix. */
export function compareTexts(before: string, after: string): TextComparison {
  const size = before.length + after.length
  const words =
    size <= MAX_WORD_DIFF_CHARS
      ? diffWordsWithSpace(before, after, { maxEditLength: MAX_EDIT_COUNT, timeout: 2_000 })
      : undefined
  if (words) return { granularity: 'words', pieces: toDiffPieces(words) }
  const lines =
    size <= MAX_LINE_DIFF_CHARS
      ? diffLines(before, after, { maxEditLength: MAX_EDIT_COUNT, timeout: 2_000 })
      : undefined
  if (lines) return { granularity: 'lines', pieces: toDiffPieces(lines) }
  return { granularity: 'ends', pieces: compareEnds(before, after) }
}

/** Below this share of common characters a diff by words is an unreadable mixture of two texts. */
const MIN_COMMON_SHARE = 0.3
/** Shorter texts are read at a glance, however different they are. */
const MIN_COMPARED_CHARS = 60

/** Whether two texts have too little in common for a diff of their words. */
export function isTooDifferent({ pieces, granularity }: TextComparison, before: string, after: string): boolean {
  if (granularity !== 'words' || Math.min(before.length, after.length) < MIN_COMPARED_CHARS) return false
  // Blanks are common to all texts, and single words between two changes are common by chance.
  const common = pieces.filter(({ kind, text }) => kind === 'same' && text.trim().includes(' '))
  const commonChars = common.reduce((sum, { text }) => sum + text.trim().length, 0)
  return commonChars / Math.min(before.length, after.length) < MIN_COMMON_SHARE
}

const toDiffPieces = (changes: readonly Change[]): DiffPiece[] =>
  changes.map(({ value, added, removed }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }))

function compareEnds(before: string, after: string): DiffPiece[] {
  const maxCommonChars = Math.min(before.length, after.length)
  let from = 0
  while (from < maxCommonChars && before[from] === after[from]) from++
  let suffixLength = 0
  while (suffixLength < maxCommonChars - from && before.at(-1 - suffixLength) === after.at(-1 - suffixLength))
    suffixLength++
  const pieces: DiffPiece[] = [
    { kind: 'same', text: before.slice(0, from) },
    { kind: 'removed', text: before.slice(from, before.length - suffixLength) },
    { kind: 'added', text: after.slice(from, after.length - suffixLength) },
    { kind: 'same', text: before.slice(before.length - suffixLength) },
  ]
  return pieces.filter(({ text }) => text !== '')
}
