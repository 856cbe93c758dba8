import { terms } from '../model/terms.ts'

const MOST_KEYWORDS = 10
const LOOKED_AT = 2000
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words that a segment is about: those that stand there most often, long ones before short ones. */
export function keywordsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text.slice(0, LOOKED_AT).toLowerCase())) {
    if (word.length > 1 && !/^[\d.,]+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const ranked = [...counts]
    .map(([word, count]) => ({ word, weight: count * Math.log(1 + word.length) }))
    .sort((one, other) => other.weight - one.weight)
  const keywords: string[] = []
  for (const { word } of ranked) {
    // Common words have no terms.
    if (terms(word).length > 0) keywords.push(word)
    if (keywords.length === MOST_KEYWORDS) break
  }
  return keywords
}

/** The segmenter knows the words of scripts without blanks, and takes ten times as long as a pattern for the others. */
function wordsOf(text: string): string[] {
  if (!UNSPACED.test(text)) return text.match(WORD) ?? []
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}
