import { extractTerms } from '../model/terms.ts'

/** Bag of words of a text for the search: hashes, repeated by frequency. */
export interface TermVector {
  terms: number[]
  /** Number of words, before the marker was added and repetitions were cut. */
  length: number
}

/** Maximum repetitions of a word; more are not informative. */
const MAX_TERM_REPEATS = 8
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Location of a passage: its dataset, and the title of its document. */
export interface PassageContext {
  dataset_id: string
  title: string
}

/**
 * The bag of a passage. It also has terms from outside its text: the words of its document's title, since a question
 * names the subject that a section presupposes; each single character of scripts without blanks, since a question of
 * one character has no pairs; and the marker of its dataset.
 */
export function toTermVector(text: string, { dataset_id, title }: PassageContext): TermVector {
  const words = extractTerms(text)
  const countByHash = new Map<number, number>()
  const termHashes = [toDatasetMarker(dataset_id)]
  for (const word of words) {
    const hash = hashTerm(word)
    const count = (countByHash.get(hash) ?? 0) + 1
    countByHash.set(hash, count)
    if (count <= MAX_TERM_REPEATS) termHashes.push(hash)
  }
  const characters = text.match(UNSPACED_SCRIPT) ?? []
  const extraHashes = new Set([...characters, ...extractTerms(title)].map(hashTerm))
  for (const hash of extraHashes) if (!countByHash.has(hash)) termHashes.push(hash)
  return { terms: termHashes, length: words.length }
}

/** The distinct terms of a question. */
export const toQueryTerms = (query: string): number[] => [...new Set(extractTerms(query).map(hashTerm))]

/** Part of every bag of a dataset, so that one index finds the words of one dataset. No word has a colon. */
export const toDatasetMarker = (dataset_id: string): number => hashTerm(`dataset:${dataset_id}`)

/**
 * FNV-1a with a final mix, as a signed 32-bit integer, which PostgreSQL indexes at a third of the size of text. With a
 * million words, one question term in four thousand collides with another word.
 */
export function hashTerm(word: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}
