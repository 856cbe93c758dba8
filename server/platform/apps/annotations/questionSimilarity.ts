const WORD_PATTERN = /[\p{L}\p{N}\p{M}]+/gu

/** How often each piece of three characters stands in a text; letters and digits alone count, in any case. */
export type TrigramProfile = ReadonlyMap<string, number>

/**
 * The profile by which two questions are compared where no model embeds them. It knows letters, not meanings: the same
 * words in another form are alike, a paraphrase in other words is not.
 */
export function toTrigramProfile(question: string): TrigramProfile {
  const words = question.normalize('NFKC').toLowerCase().match(WORD_PATTERN) ?? []
  const counts = new Map<string, number>()
  for (const word of words) {
    const characters = [...` ${word} `]
    // Where words stand without blanks a pair of characters tells as much as three letters elsewhere.
    const size = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word) ? 2 : 3
    for (let offset = 0; offset + size <= characters.length; offset++) {
      const trigram = characters.slice(offset, offset + size).join('')
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
    }
  }
  return counts
}

/** Cosine of two profiles: 0 nothing in common, 1 the same. */
export function trigramSimilarity(one: TrigramProfile, other: TrigramProfile): number {
  let product = 0
  for (const [trigram, count] of one) product += count * (other.get(trigram) ?? 0)
  return product === 0 ? 0 : Math.min(1, product / (vectorLength(one.values()) * vectorLength(other.values())))
}

/** Cosine of two vectors; 0 when they are not of one model. */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return 0
  const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
  const length = vectorLength(one) * vectorLength(other)
  return length === 0 ? 0 : Math.max(0, Math.min(1, product / length))
}

function vectorLength(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}
