import { terms } from '../model/terms.ts'

const MOST_KEYWORDS = 10
const LOOKED_AT = 2000
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words that a segment is about: those that stand there most often, long ones before short ones. */
export function keywordsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const { segment, isWordLike } of words.segment(text.slice(0, LOOKED_AT).toLowerCase())) {
    if (!isWordLike || segment.length < 2 || /^[\d.,]+$/.test(segment)) continue
    counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  return [...counts]
    .filter(([word]) => terms(word).length > 0)
    .map(([word, count]) => ({ word, weight: count * Math.log(1 + word.length) }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_KEYWORDS)
    .map(({ word }) => word)
}
