import { foldCompatibility } from '../chunking/foldCompatibility.ts'
import { foldAccents, foldCase } from '../searchKey.ts'
import { stemmer as stemArabic } from '@orama/stemmers/arabic'
import { stemmer as stemRussian } from '@orama/stemmers/russian'

/** Letters of scripts without blanks between words; Hangul has blanks, but not between a noun and its particle. */
const UNSPACED_LETTERS = `\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Hangul}ー`
const UNSPACED_RUN = new RegExp(`[${UNSPACED_LETTERS}]+`, 'u')
const RUN_PATTERN = new RegExp(
  `${UNSPACED_RUN.source}|[\\p{L}\\p{N}\\p{M}]+|\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}`,
  'gu',
)

/** Stop words: they only say how a question is asked. Those of CJK are pairs of characters. */
const STOP_WORDS = new Set(
  `a about after all also am an and another any are as at be because been before being between both but by can could did
  do does doing during each either for from get give got had has have having he her here him his how however i if in into
  is it its itself just may me might more most much must my nor no not of on one only or other our out over own please
  shall she should since so some such tell than that the their them then there these they this those through to too
  under until up us use very was we were what when where whether which while who whom whose why will with within without
  would you your
  什么 怎么 如何 哪些 哪个 为什 为何 是否 多少 怎样 请问 可以 能否 有没 没有 是什 么是 的是 いつ どこ どう なぜ です ます した する ください`.split(
    /\s+/,
  ),
)

/** Part of a text: a word or an emoji, by its search key, or a run of characters of a script without blanks. */
export interface TextRun {
  text: string
  unspaced: boolean
}

/** A stop word is also a term as written, so that “IT” finds “IT” before “it”. */
interface WrittenRun extends TextRun {
  written: string
  isStopWord: boolean
}

/** How the characters of a text are compared. */
export interface TextFolding {
  foldForm: (text: string) => string
  foldCase: (text: string) => string
}

const SEARCH_FOLDING: TextFolding = { foldForm: foldAccents, foldCase }
/** The folding of versions 1 and 2. */
export const FORMER_FOLDING: TextFolding = { foldForm: foldCompatibility, foldCase: (text) => text.toLowerCase() }

export function* splitAllRuns(text: string, folding = SEARCH_FOLDING): Generator<WrittenRun> {
  for (const [written] of folding.foldForm(text).matchAll(RUN_PATTERN)) {
    const run = folding.foldCase(written)
    const unspaced = UNSPACED_RUN.test(run)
    yield { text: run, written, unspaced, isStopWord: !unspaced && STOP_WORDS.has(run) }
  }
}

/** Stop words are excluded. */
export const splitRuns = (text: string): TextRun[] => [...splitAllRuns(text)].filter(({ isStopWord }) => !isStopWord)

/**
 * The terms of a text, in order: stemmed words in lower case; in scripts without blanks between words, such as Chinese,
 * pairs of neighbouring characters. Stop words are excluded.
 */
export const extractTerms = (text: string): string[] =>
  splitRuns(text).flatMap((run) =>
    run.unspaced ? toBigrams(run.text).flatMap(({ pair, isStopWord }) => (isStopWord ? [] : pair)) : stem(run.text),
  )

/** Pairs of neighbouring characters with the position of their first; a single character is its own pair. */
export function toBigrams(run: string): { pair: string; position: number; isStopWord: boolean }[] {
  const characters = [...run]
  if (characters.length === 1) return [{ pair: run, position: 0, isStopWord: false }]
  return characters.slice(1).map((character, position) => {
    const pair = `${characters[position]}${character}`
    return { pair, position, isStopWord: STOP_WORDS.has(pair) }
  })
}

/**
 * The word without its ending. English is coarse on purpose: plural, -ed and -ing, so that “indexing” finds “indexed”.
 * Cyrillic and Arabic words are stemmed by Snowball; other words are left as they are.
 */
export function stem(word: string): string {
  if (word.length < 4) return word
  if (/^[a-z]+$/.test(word)) return stemEnglish(word)
  if (/^\p{Script=Cyrillic}+$/u.test(word)) return stemRussian(word)
  if (/^\p{Script=Arabic}+$/u.test(word)) return stemArabic(word)
  return word
}

function stemEnglish(word: string): string {
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(ss|us|is)$/.test(word)
      ? word
      : word.replace(/(?<=(ch|sh|x|z|s))es$|s$/, '')
  const base = singular.replace(/(?<=.{3})(ing|ed)$/, '')
  return base.replace(/(.)\1$/, '$1').replace(/(?<=.{3})e$/, '')
}

/**
 * Inverse document frequency of each term: high for rare terms, low for frequent ones. `termSets` are the compared
 * texts.
 */
export function createTermWeights(termSets: readonly ReadonlySet<string>[]): (term: string) => number {
  const documentCounts = new Map<string, number>()
  for (const termSet of termSets)
    for (const term of termSet) documentCounts.set(term, (documentCounts.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + (termSets.length + 1) / ((documentCounts.get(term) ?? 0) + 1))
}

/** Similarity of two sets of terms: 0 nothing in common, 1 equal. */
export function getTermOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((term) => other.has(term)).length
  return common === 0 ? 0 : common / (one.size + other.size - common)
}
