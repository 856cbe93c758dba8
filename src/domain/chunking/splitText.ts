import { splitIntoAtoms, BREAK_LEVEL, type Atoms } from './textAtoms.ts'
import type { CountTokens } from './tokenCounter.ts'

export interface SplitRule {
  /** Literal text, never a pattern; null splits by size alone. Not included in chunks. */
  separator: string | null
  /** Maximum tokens of a chunk. */
  max_tokens: number
  /** Maximum overlap in tokens with the end of the previous chunk, if a piece was split by size. */
  chunk_overlap: number
}

/** A range of the text, from `start` to `end` (exclusive) in UTF-16 units, trimmed. `tokens` is what the counter counts. */
export interface Chunk {
  start: number
  end: number
  tokens: number
}

/**
 * Splits a text at each separator, and each oversized piece into chunks of at most `max_tokens`, at the end of a
 * paragraph, line, sentence or word, whichever is late enough. Chunks are in order, together they contain everything
 * except separators and blanks, and none starts or ends inside a code point. A single character may have more tokens
 * than `max_tokens`; then it is a chunk of its own.
 */
export function* splitIntoChunks(text: string, rule: SplitRule, countTokens: CountTokens): Generator<Chunk> {
  const { separator, max_tokens } = rule
  for (let start = 0, end = 0; start <= text.length; start = end + (separator?.length || 1)) {
    const next = separator ? text.indexOf(separator, start) : -1
    end = next === -1 ? text.length : next
    const piece = trim(text, start, end)
    if (!piece) continue
    const content = text.slice(...piece)
    const tokens = content.length > max_tokens * MAX_TOKEN_CHARS ? Infinity : countTokens(content)
    if (tokens <= max_tokens) yield { start: piece[0], end: piece[1], tokens }
    else yield* splitByTokens(content, piece[0], rule, countTokens)
  }
}

/** Maximum characters per token on average: a longer piece is oversized without counting. */
const MAX_TOKEN_CHARS = 16

/** Decodes the escapes that people type for separators: `\n`, `\r`, `\t` and `\\`. */
export const decodeSeparator = (typed: string): string =>
  typed.replace(/\\([nrt\\])/g, (_, letter: string) => ESCAPE_CHARACTERS[letter] ?? letter)

const ESCAPE_CHARACTERS: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

function trim(text: string, start: number, end: number): [number, number] | null {
  const part = text.slice(start, end)
  const from = end - part.trimStart().length
  return from < end ? [from, from + part.trim().length] : null
}

function* splitByTokens(
  text: string,
  offset: number,
  { max_tokens, chunk_overlap }: SplitRule,
  countTokens: CountTokens,
): Generator<Chunk> {
  const atoms = splitIntoAtoms(text, countTokens)
  const last = atoms.starts.length - 1
  const inText = ({ start, end, tokens }: Chunk): Chunk => ({ start: offset + start, end: offset + end, tokens })
  let from = 0
  let done = 0
  let reached = 0
  while (done < last) {
    if (!trim(text, at(atoms.starts, from), at(atoms.starts, from + 1))) {
      from++
      done = Math.max(done, from)
      continue
    }
    const window = findBestWindow(atoms, from, done, max_tokens)
    if (window) {
      // A window that adds only blanks to its overlap repeats the previous chunk.
      if (window.chunk && window.chunk.end > reached) {
        reached = window.chunk.end
        yield inText(window.chunk)
      }
      done = window.to
      from = done === last ? last : findOverlapStart(atoms, from, done, max_tokens, chunk_overlap)
    } else if (from < done) {
      from = done
    } else {
      for (const chunk of splitAtom(atoms, at(atoms.starts, from), at(atoms.starts, from + 1), max_tokens))
        yield inText(chunk)
      done = from + 1
      from = done
    }
  }
}

/**
 * The best window from atom `from` within the limit that extends past the atoms before `done`; its chunk is null if it
 * contains only blanks. Null if there is no such window within the limit.
 */
function findBestWindow(atoms: Atoms, from: number, done: number, max_tokens: number) {
  for (let to = findBestEnd(atoms, from, done, max_tokens); to > done; to--) {
    const chunk = toChunk(atoms, at(atoms.starts, from), at(atoms.starts, to))
    if (!chunk || chunk.tokens <= max_tokens) return { to, chunk }
  }
  return null
}

function toChunk({ text, countTokens }: Atoms, from: number, to: number): Chunk | null {
  const piece = trim(text, from, to)
  if (!piece) return null
  const [start, end] = piece
  return { start, end, tokens: countTokens(text.slice(start, end)) }
}

/** The last end of the best level in the second half of the limit; `done` if there is none. */
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

/** Start of the next chunk, so that it repeats as many whole words of this one's end as `chunk_overlap` allows. */
function findOverlapStart(
  { text, starts, tokenSums, levels, countTokens }: Atoms,
  from: number,
  to: number,
  max_tokens: number,
  chunk_overlap: number,
) {
  const overlapTokens = Math.min(chunk_overlap, max_tokens - (at(tokenSums, to + 1) - at(tokenSums, to)))
  let first = to
  while (first - 1 > from && at(tokenSums, to) - at(tokenSums, first - 1) <= overlapTokens) first--
  for (let start = first; start < to; start++) {
    const fits = () => countTokens(text.slice(at(starts, start), at(starts, to)).trim()) <= chunk_overlap
    if (at(levels, start) > BREAK_LEVEL.inside && fits()) return start
  }
  return to
}

/** Splits an atom with more tokens than a chunk may have between its characters; a leading blank is dropped first. */
function* splitAtom({ text, countTokens }: Atoms, start: number, end: number, max_tokens: number): Generator<Chunk> {
  const piece = trim(text, start, end)
  if (!piece) return
  let [from] = piece
  let to = from
  let tokens = 0
  for (const { segment: character } of CHARACTERS.segment(text.slice(...piece))) {
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

/** Characters as people see them: a joined emoji is one. */
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const at = (values: Uint32Array | Uint8Array, index: number): number => values[index] ?? 0
