import { terms } from '../model/terms.ts'

/** The words of a text as a search sees them: hashes, each as often as it stands there. */
export interface Bag {
  terms: number[]
  /** Words, before the marker was added and repetitions were cut. */
  length: number
}

/** A word that stands there more often tells no more. */
const MOST_REPEATS = 8
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Where a passage stands: its dataset, and the title of its document. */
export interface Standing {
  dataset_id: string
  title: string
}

/**
 * The bag of a passage. It also has what a passage does not say itself: the words of its document's title, since a
 * question names what a text is about and a section takes that as read; each single character of scripts without blanks,
 * since a question of one character has no pairs; and the marker of its dataset.
 */
export function bagOf(text: string, { dataset_id, title }: Standing): Bag {
  const words = terms(text)
  const repeats = new Map<number, number>()
  const bag = [markerOf(dataset_id)]
  for (const word of words) {
    const hash = hashOf(word)
    const times = (repeats.get(hash) ?? 0) + 1
    repeats.set(hash, times)
    if (times <= MOST_REPEATS) bag.push(hash)
  }
  const characters = text.match(UNSPACED) ?? []
  const more = new Set([...characters, ...terms(title)].map(hashOf))
  for (const hash of more) if (!repeats.has(hash)) bag.push(hash)
  return { terms: bag, length: words.length }
}

/** The terms of a question, each once. */
export const questionTerms = (query: string): number[] => [...new Set(terms(query).map(hashOf))]

/** Stands in every bag of a dataset, so that one index finds the words of one dataset. No word has a colon. */
export const markerOf = (dataset_id: string): number => hashOf(`dataset:${dataset_id}`)

/**
 * FNV-1a with a final mix, as a signed 32-bit integer, which PostgreSQL indexes at a third of the size of text. Of a
 * million words, one question in four thousand meets a word that has another one's hash.
 */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
