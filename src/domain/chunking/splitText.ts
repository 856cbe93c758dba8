import { splitIntoAtoms, BREAK_LEVEL, type Atoms } from './textAtoms.ts'
import type { CountTokens } from './tokenCounter.ts'

export interface SplitRule {
  /** Literal text, never a pattern; null cuts by size alone. It belongs to no chunk. */
  separator: string | null
  /** The most tokens that a chunk has. */
  max_tokens: number
  /** The most tokens with which a chunk repeats the end of the one before it, where a piece was too big. */
  chunk_overlap: number
}

/** A part of the text, from `start` up to `end` in UTF-16 units, without the blanks around it. */
export interface Chunk {
  start: number
  end: number
  tokens: number
}

/**
 * Cuts a text at each separator, and each piece that is still too big into chunks of at most `max_tokens`, at the end of
 * a paragraph, line, sentence or word, whichever comes late enough. Chunks come in order, together they hold all but
 * separators and blanks, and none begins or ends inside a code point. A single character may have more tokens than
 * `max_tokens` allows; then it is a chunk of its own.
 */
export function* splitIntoChunks(text: string, cut: SplitRule, countTokens: CountTokens): Generator<Chunk> {
  for (const [start, end] of splitAtSeparator(text, cut.separator)) {
    const piece = trim(text, start, end)
    if (!piece) continue
    const whole = text.slice(...piece)
    const tokens = whole.length > cut.max_tokens * MAX_TOKEN_CHARS ? Infinity : countTokens(whole)
    if (tokens <= cut.max_tokens) yield { start: piece[0], end: piece[1], tokens }
    else yield* splitByTokens(whole, piece[0], cut, countTokens)
  }
}

/** No text has tokens of this many characters throughout: a piece longer than that need not be counted to be too big. */
const MAX_TOKEN_CHARS = 16

/** Decodes the escapes that people type for separators: `\n`, `\r`, `\t` and `\\`. */
export const decodeSeparator = (typed: string): string =>
  typed.replace(/\\([nrt\\])/g, (_, letter: string) => ESCAPE_CHARACTERS[letter] ?? letter)

const ESCAPE_CHARACTERS: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

function* splitAtSeparator(text: string, separator: string | null): Generator<[number, number]> {
  let start = 0
  while (separator) {
    const at = text.indexOf(separator, start)
    if (at === -1) break
    yield [start, at]
    start = at + separator.length
  }
  yield [start, text.length]
}

const BLANK_PATTERN = /\s/

function trim(text: string, start: number, end: number): [number, number] | null {
  let from = start
  let to = end
  while (from < to && BLANK_PATTERN.test(text.charAt(from))) from++
  while (to > from && BLANK_PATTERN.test(text.charAt(to - 1))) to--
  return from < to ? [from, to] : null
}

/** A piece that is too big, in its atoms, and how its tokens are counted. */
interface TokenizedPiece {
  text: string
  atoms: Atoms
  countTokens: CountTokens
}

function* splitByTokens(
  text: string,
  offset: number,
  { max_tokens, chunk_overlap }: SplitRule,
  countTokens: CountTokens,
): Generator<Chunk> {
  const atoms = splitIntoAtoms(text, countTokens)
  const count: TokenizedPiece = { text, atoms, countTokens }
  const last = atoms.starts.length - 1
  const inText = ({ start, end, tokens }: Chunk): Chunk => ({ start: offset + start, end: offset + end, tokens })
  let from = 0
  let done = 0
  let reached = 0
  while (done < last) {
    if (isBlank(text, atoms, from)) {
      from++
      done = Math.max(done, from)
      continue
    }
    const window = findBestWindow(count, from, done, max_tokens)
    if (window) {
      // A window that takes in but blanks after its overlap says nothing that the chunk before it did not.
      if (window.chunk && window.chunk.end > reached) {
        reached = window.chunk.end
        yield inText(window.chunk)
      }
      done = window.to
      from = done === last ? last : findOverlapStart(count, from, done, max_tokens, chunk_overlap)
    } else if (from < done) {
      from = done
    } else {
      for (const chunk of splitAtom(count, at(atoms.starts, from), at(atoms.starts, from + 1), max_tokens))
        yield inText(chunk)
      done = from + 1
      from = done
    }
  }
}

/**
 * The window from atom `from` that ends best within the limit and takes in more than the atoms before `done`; its chunk
 * is null where it holds blanks alone. Null when no such window is within the limit.
 */
function findBestWindow(counting: TokenizedPiece, from: number, done: number, max_tokens: number) {
  const { atoms } = counting
  for (let to = findBestEnd(atoms, from, done, max_tokens); to > done; to--) {
    const chunk = toChunk(counting, at(atoms.starts, from), at(atoms.starts, to))
    if (!chunk || chunk.tokens <= max_tokens) return { to, chunk }
  }
  return null
}

function toChunk({ text, countTokens }: TokenizedPiece, from: number, to: number): Chunk | null {
  const piece = trim(text, from, to)
  if (!piece) return null
  const [start, end] = piece
  return { start, end, tokens: countTokens(text.slice(start, end)) }
}

/** Of the ends within the limit, the last one of the best level in the second half; `done` when there is none. */
function findBestEnd({ tokenSums, levels }: Atoms, from: number, done: number, max_tokens: number): number {
  const limit = at(tokenSums, from) + max_tokens
  let to = done
  for (let step = tokenSums.length - 1 - to; step > 0; step = Math.floor(step / 2))
    while (to + step < tokenSums.length && at(tokenSums, to + step) <= limit) to += step
  if (to === tokenSums.length - 1) return to
  let best = to
  const half = at(tokenSums, from) + max_tokens / 2
  for (let end = to; end > done; end--) {
    if (at(tokenSums, end) < half && at(levels, best) > BREAK_LEVEL.inside) break
    if (at(levels, end) > at(levels, best)) best = end
  }
  return best
}

/** Where the next chunk begins, so that it repeats as many whole words of this one's end as `chunk_overlap` allows. */
function findOverlapStart(
  { text, atoms, countTokens }: TokenizedPiece,
  from: number,
  to: number,
  max_tokens: number,
  chunk_overlap: number,
) {
  const { tokenSums, levels, starts } = atoms
  const overlapTokens = Math.min(chunk_overlap, max_tokens - (at(tokenSums, to + 1) - at(tokenSums, to)))
  let first = to
  while (first - 1 > from && at(tokenSums, to) - at(tokenSums, first - 1) <= overlapTokens) first--
  for (let start = first; start < to; start++) {
    const fits = () => countTokens(text.slice(at(starts, start), at(starts, to)).trim()) <= chunk_overlap
    if (at(levels, start) > BREAK_LEVEL.inside && fits()) return start
  }
  return to
}

/** An atom with more tokens than a chunk may have is cut between its code points; the blank before it is left out first. */
function* splitAtom(
  { text, countTokens }: TokenizedPiece,
  start: number,
  end: number,
  max_tokens: number,
): Generator<Chunk> {
  const piece = trim(text, start, end)
  if (!piece) return
  let [from] = piece
  let to = from
  let tokens = 0
  for (const character of text.slice(...piece)) {
    const next = to + character.length
    let more = countTokens(text.slice(from, next))
    if (to > from && more > max_tokens) {
      yield { start: from, end: to, tokens }
      from = to
      more = countTokens(character)
    }
    to = next
    tokens = more
  }
  yield { start: from, end: to, tokens }
}

const isBlank = (text: string, { starts }: Atoms, atom: number): boolean =>
  text.slice(at(starts, atom), at(starts, atom + 1)).trim() === ''

const at = (values: Uint32Array | Uint8Array, index: number): number => values[index] ?? 0
