import { toCompatibilityForm } from '#domain/compatibilityForm.ts'

const WORD_PATTERN = /[\p{L}\p{N}\p{M}]+/gu

/** Counts of the character trigrams of a text; only letters and digits, case-insensitive. */
export type TrigramProfile = ReadonlyMap<string, number>

/**
 * The profile for comparing two questions without an embedding model. It compares characters, not meanings: inflected
 * forms of the same words are similar, a paraphrase is not.
 */
export function toTrigramProfile(question: string): TrigramProfile {
  const words = toCompatibilityForm(question).toLowerCase().match(WORD_PATTERN) ?? []
  const counts = new Map<string, number>()
  for (const word of words) {
    const characters = [...` ${word} `]
    // In scripts without blanks a pair of characters is as informative as a trigram in others.
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

/** Cosine of two vectors; 0 if they are not of the same model. */
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
