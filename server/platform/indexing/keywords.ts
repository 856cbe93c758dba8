import { extractTerms } from '#domain/keywordSearch/terms.ts'

const MAX_KEYWORDS = 10
const MAX_SCANNED_CHARS = 2000
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Keywords of a segment: its most frequent words, long ones before short ones. */
export function extractKeywords(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of splitWords(text.slice(0, MAX_SCANNED_CHARS).toLowerCase())) {
    if (word.length > 1 && !/^[\d.,]+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const ranked = [...counts]
    .map(([word, count]) => ({ word, weight: count * Math.log(1 + word.length) }))
    .sort((one, other) => other.weight - one.weight)
  const keywords: string[] = []
  for (const { word } of ranked)
    // Common words have no terms.
    if (keywords.length < MAX_KEYWORDS && extractTerms(word).length > 0) keywords.push(word)
  return keywords
}

/** Keywords set by hand: those that do not come from the text. */
export function findKeywordsByHand(keywords: readonly string[], text: string): string[] {
  const extracted = new Set(extractKeywords(text))
  return keywords.filter((keyword) => !extracted.has(keyword))
}

/** The segmenter handles scripts without blanks, but is ten times slower than a pattern for the others. */
function splitWords(text: string): string[] {
  if (!UNSPACED_SCRIPT.test(text)) return text.match(WORD_PATTERN) ?? []
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}
