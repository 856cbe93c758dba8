import { toCompatibilityForm } from '../compatibilityForm.ts'

export function countEdits(one: string, other: string): number {
  const [from, to] = [[...one], [...other]]
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, character] of from.entries()) {
    const current = [row + 1]
    for (const [column, wanted] of to.entries())
      current.push(
        Math.min(
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (previous[column] ?? 0) + (character === wanted ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous[to.length] ?? 0
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' })

const toWords = (text: string): string[] =>
  [...SEGMENTER.segment(toCompatibilityForm(text).toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike ? segment : [],
  )

/**
 * ROUGE-N as an F-measure: the share of common groups of `n` words, counted with their repetitions. Null if the
 * reference has no such group.
 */
export function measureRouge(text: string, reference: string, n: number): number | null {
  const wanted = countValues(toGroups(toWords(reference), n))
  const given = countValues(toGroups(toWords(text), n))
  if (wanted.size === 0) return null
  const total = sum([...wanted.values()]) + sum([...given.values()])
  return (2 * sum([...wanted].map(([group, count]) => Math.min(count, given.get(group) ?? 0)))) / total
}

const toGroups = (words: readonly string[], n: number): string[] =>
  words.slice(n - 1).map((_, index) => words.slice(index, index + n).join(' '))

/** The share of common trigrams, word by word: similar wording, not similar meaning. */
export function measureWording(one: string, other: string): number {
  const [ours, theirs] = [toTrigrams(one), toTrigrams(other)]
  const all = new Set([...ours, ...theirs])
  if (all.size === 0) return one.trim() === other.trim() ? 1 : 0
  return [...ours].filter((trigram) => theirs.has(trigram)).length / all.size
}

const toTrigrams = (text: string): Set<string> =>
  new Set(
    toWords(text).flatMap((word) => {
      const padded = [...`  ${word} `]
      return padded.slice(2).map((_, index) => padded.slice(index, index + 3).join(''))
    }),
  )

function countValues(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
