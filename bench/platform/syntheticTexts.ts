import { seededRandom } from '#support/seededRandom.ts'

/** Texts of the platform bench: the same at every run, and with words as unevenly used as those of a language. */

const ENGLISH_WORD_COUNT = 20_000
const CHINESE_CHARACTER_COUNT = 3_000
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan bel cor dim fal'.split(' ')

export interface RandomSource {
  /** From 0 to below 1. */
  next: () => number
}

export const createRandom = (seed: number): RandomSource => ({ next: seededRandom(seed) })

/** A word's rank: the first are in nearly every text, the last in few, as Zipf found. */
const pickRank = ({ next }: RandomSource, words: number): number => Math.min(words - 1, Math.floor(words ** next()) - 1)

function englishWord(index: number): string {
  let word = ''
  for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}
const chineseCharacter = (index: number): string => String.fromCharCode(0x4e00 + index * 5)

export function createEnglishText(random: RandomSource, words: number): string {
  const text = Array.from({ length: words }, () => englishWord(pickRank(random, ENGLISH_WORD_COUNT))).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

export function createChineseText(random: RandomSource, characters: number): string {
  return `${Array.from({ length: characters }, () => chineseCharacter(pickRank(random, CHINESE_CHARACTER_COUNT))).join('')}。`
}

/** A segment: two of three in English, one in Chinese, of 40 to 90 words. */
export function createSegmentText(random: RandomSource): string {
  const length = 40 + Math.floor(random.next() * 50)
  return random.next() < 2 / 3 ? createEnglishText(random, length) : createChineseText(random, length)
}

/** Questions as people ask them of what they half remember: three to eight words in a row out of the segments. */
export function createQuestions(seed: number, count: number): string[] {
  const segments = createRandom(1)
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const text = createSegmentText(segments)
    const words = text.includes(' ') ? text.split(' ') : [...text]
    const length = 3 + Math.floor(random.next() * 6)
    const from = Math.floor(random.next() * (words.length - length))
    return words.slice(from, from + length).join(text.includes(' ') ? ' ' : '')
  })
}

/** Paragraphs, a blank line between two, of so many bytes. */
export function createParagraphs(random: RandomSource, bytes: number): string {
  const all: string[] = []
  for (let size = 0; size < bytes;) {
    const text = createSegmentText(random)
    all.push(text)
    size += Buffer.byteLength(text) + 2
  }
  return all.join('\n\n')
}

const VECTOR_DIMENSIONS = 64
const directionCache = new Map<string, number[]>()

/** A vector that texts with common words have near each other: the sum of one direction for each word. */
export function toVector(text: string): number[] {
  const sum = new Array<number>(VECTOR_DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+|[\u4e00-\u9fff]/g) ?? []) {
    const direction = getDirection(word)
    for (let index = 0; index < VECTOR_DIMENSIONS; index++) sum[index] = (sum[index] ?? 0) + (direction[index] ?? 0)
  }
  return sum
}

function getDirection(word: string): number[] {
  const old = directionCache.get(word)
  if (old) return old
  const random = createRandom([...word].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7))
  const direction = Array.from({ length: VECTOR_DIMENSIONS }, () => random.next() - 0.5)
  directionCache.set(word, direction)
  return direction
}
