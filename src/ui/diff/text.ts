import { type Change, diffLines, diffWordsWithSpace } from 'diff'

/** A piece of two texts: in both, only in the later, only in the earlier. */
export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

export interface TextComparison {
  pieces: Piece[]
  /** What was compared: words, whole lines where words would take too long, or nothing but the ends. */
  by: 'words' | 'lines' | 'ends'
}

/** Characters of both texts up to which words are compared, and lines. */
const WORDS_LIMIT = 60_000
const LINES_LIMIT = 2_000_000
/** So many changes are looked for; two texts with more have little in common. */
const EDITS = 6_000

/** The differences of two texts. However large they are, it comes to an end soon: by words, else lines, else what begins and ends both. */
export function compareTexts(before: string, after: string): TextComparison {
  const size = before.length + after.length
  const words =
    size <= WORDS_LIMIT ? diffWordsWithSpace(before, after, { maxEditLength: EDITS, timeout: 2_000 }) : undefined
  if (words) return { by: 'words', pieces: piecesOf(words) }
  const lines = size <= LINES_LIMIT ? diffLines(before, after, { maxEditLength: EDITS, timeout: 2_000 }) : undefined
  if (lines) return { by: 'lines', pieces: piecesOf(lines) }
  return { by: 'ends', pieces: ends(before, after) }
}

const piecesOf = (changes: readonly Change[]): Piece[] =>
  changes.map(({ value, added, removed }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }))

function ends(before: string, after: string): Piece[] {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let till = 0
  while (till < most - from && before.at(-1 - till) === after.at(-1 - till)) till++
  const pieces: Piece[] = [
    { kind: 'same', text: before.slice(0, from) },
    { kind: 'removed', text: before.slice(from, before.length - till) },
    { kind: 'added', text: after.slice(from, after.length - till) },
    { kind: 'same', text: before.slice(before.length - till) },
  ]
  return pieces.filter(({ text }) => text !== '')
}
