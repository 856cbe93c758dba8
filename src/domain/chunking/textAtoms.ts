import type { CountTokens } from './tokenCounter.ts'

/**
 * The smallest pieces between which a text is split: a word with the preceding blank, a few characters in scripts
 * without blanks, up to three digits, a run of symbols, blanks. Concatenated they are the text.
 */
export interface Atoms {
  text: string
  countTokens: CountTokens
  /** Start offset of atom i; one more entry than atoms, the last is the length of the text. */
  starts: Uint32Array
  /** Tokens of all atoms before atom i. The sum over atoms is close to the count of the text, and mostly above it. */
  tokenSums: Uint32Array
  /** Quality of a split before atom i: see LEVEL. */
  levels: Uint8Array
}

export const BREAK_LEVEL = { inside: 0, word: 1, sentence: 2, line: 3, paragraph: 4 }

const UNSPACED_SCRIPTS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}ー'
/** Characters that extend the previous one: marks, skin tones, and zero-width joiner sequences. */
const COMBINING_TAIL = '(?:[\\p{M}\\u{1F3FB}-\\u{1F3FF}]|\\u200D[^\\s\\p{L}\\p{N}]){0,16}'
const ATOM_PATTERN = new RegExp(
  [
    `\\s{2,64}|[\\r\\n]`,
    `[^\\S\\r\\n]?(?:[${UNSPACED_SCRIPTS}]{1,8}|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}]){1,32}|\\p{N}{1,3}|(?:(?:\\p{RI}{2}|[^\\s\\p{L}\\p{N}])${COMBINING_TAIL}){1,8})${COMBINING_TAIL}`,
    `[^]`,
  ].join('|'),
  'gu',
)

const MAX_CACHED_ATOMS = 100_000

export function splitIntoAtoms(text: string, countTokens: CountTokens): Atoms {
  const starts: number[] = []
  const sums = [0]
  const levels: number[] = []
  const counts = new Map<string, number>()
  let sum = 0
  let before = ''
  for (const { index, 0: atom } of text.matchAll(ATOM_PATTERN)) {
    starts.push(index)
    levels.push(index === 0 ? BREAK_LEVEL.paragraph : getBreakLevel(before, atom))
    const tokens = counts.get(atom) ?? countTokens(atom)
    if (counts.size < MAX_CACHED_ATOMS) counts.set(atom, tokens)
    sum += tokens
    sums.push(sum)
    before = atom
  }
  starts.push(text.length)
  levels.push(BREAK_LEVEL.paragraph)
  return {
    text,
    countTokens,
    starts: Uint32Array.from(starts),
    tokenSums: Uint32Array.from(sums),
    levels: Uint8Array.from(levels),
  }
}

const SENTENCE_END_PATTERN = /[.!?…;:]["'’”)\]]*$/
const UNSPACED_SENTENCE_END_PATTERN = /[。！？；…．]["'’”）」』\])]*$/
const unspacedPattern = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

function getBreakLevel(before: string, after: string): number {
  const newlines = before.length > 64 ? 0 : before.split('\n').length - 1
  if (newlines >= 2) return BREAK_LEVEL.paragraph
  if (newlines === 1 || before === '\r') return BREAK_LEVEL.line
  if (UNSPACED_SENTENCE_END_PATTERN.test(before)) return BREAK_LEVEL.sentence
  const spaced = /^\s/.test(after) || /\s$/.test(before)
  if (spaced && SENTENCE_END_PATTERN.test(before.trimEnd())) return BREAK_LEVEL.sentence
  return spaced || unspacedPattern.test(after) || unspacedPattern.test(before) ? BREAK_LEVEL.word : BREAK_LEVEL.inside
}
