const RUN = /[\p{L}\p{N}\p{M}]+/gu

/** How often each piece of three characters stands in a text; letters and digits alone count, in any case. */
export type Profile = ReadonlyMap<string, number>

/**
 * The profile by which two questions are compared where no model embeds them. It knows letters, not meanings: the same
 * words in another form are alike, a paraphrase in other words is not.
 */
export function profileOf(question: string): Profile {
  const words = question.normalize('NFKC').toLowerCase().match(RUN) ?? []
  const counts = new Map<string, number>()
  for (const word of words) {
    const characters = [...` ${word} `]
    // Where words stand without blanks a pair of characters tells as much as three letters elsewhere.
    const size = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word) ? 2 : 3
    for (let at = 0; at + size <= characters.length; at++) {
      const piece = characters.slice(at, at + size).join('')
      counts.set(piece, (counts.get(piece) ?? 0) + 1)
    }
  }
  return counts
}

/** Cosine of two profiles: 0 nothing in common, 1 the same. */
export function likeness(one: Profile, other: Profile): number {
  let product = 0
  for (const [piece, count] of one) product += count * (other.get(piece) ?? 0)
  return product === 0 ? 0 : Math.min(1, product / (lengthOf(one.values()) * lengthOf(other.values())))
}

/** Cosine of two vectors; 0 when they are not of one model. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return 0
  const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
  const length = lengthOf(one) * lengthOf(other)
  return length === 0 ? 0 : Math.max(0, Math.min(1, product / length))
}

function lengthOf(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}
