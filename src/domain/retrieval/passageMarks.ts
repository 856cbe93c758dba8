import { toSearchKey } from '../searchKey.ts'

/** A part of a text, in UTF-16 units. */
export interface PassageRange {
  start: number
  end: number
}

export interface PassageMarks {
  /** The words of the question, in order and without overlaps. */
  words: PassageRange[]
  /** The sentence that matches the question best; null if no sentence does. */
  best: PassageRange | null
  /** True if no word of the question occurs and the sentence was chosen by letter similarity. */
  isByLikeness: boolean
  /** The passage around the best sentence; a short text is returned in full. */
  window: PassageRange
}

/** Length of a passage in characters, and how many of them precede the best sentence. */
const WINDOW_CHARS = 420
const LEAD_CHARS = 120
/** Longer texts are only searched up to this length. */
const MAX_CHARS = 200_000
/** Scripts that dictionaries do not segment reliably: their words are compared as pairs of characters. */
const PAIRED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const PAIRED_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu
/** Scripts without spaces, segmented by the dictionary. */
const UNSPACED_SCRIPT = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
/** Stop words of questions. */
const STOP_WORDS = new Set(
  `a an and are as at be by can do does for from have how i if in is it its me my no not of on or our so that the their there
  this to was we what when where which who why will with you your der die das den dem des ein eine einer und oder ist sind von
  zu im wie was wer wo el la los las un una y o de que es en le les des et est du au`.split(/\s+/),
)
/** Stop words of the scripts compared as pairs, longest first. */
const PAIRED_STOP_WORDS =
  /どのように|できますか|ですか|什么|如何|怎么|怎样|哪些|哪个|多少|是否|请问|です|ます|どこ|いつ|[的了是吗呢はがをにのとで]/gu
/** Minimum length of the shared stem of two word forms, and maximum length of the endings in which they differ. */
const MIN_STEM_CHARS = 4
const MAX_ENDING_CHARS = 3
/** Minimum letter similarity for a best sentence. */
const MIN_LIKENESS = 0.12

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Where a passage answers a question: its words, the best sentence, and the part to show. */
export function markPassage(given: string, question: string): PassageMarks {
  const text = given.slice(0, MAX_CHARS)
  const words = findWords(text, listQuestionWords(question))
  const sentences = splitSentences(text)
  const byWords = findBest(sentences, (sentence) => scoreByWords(sentence, words))
  const best = byWords ?? findBest(sentences, ({ start, end }) => likeness(text.slice(start, end), question))
  return {
    words: joinRanges(words),
    best,
    isByLikeness: byWords === null && best !== null,
    window: toWindow(given, sentences, best),
  }
}

interface FoldedText {
  text: string
  /** The original offset of each unit of the folded text, and the original length at the end. */
  places: number[]
}

/** The search key of each character, with its offset in the original. */
function fold(text: string): FoldedText {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const character of text) {
    const part = toSearchKey(character)
    for (let unit = 0; unit < part.length; unit++) places.push(place)
    folded += part
    place += character.length
  }
  places.push(text.length)
  return { text: folded, places }
}

/** The words of a question without stop words; all of them if only stop words are left. */
function listQuestionWords(question: string): string[] {
  const { text } = fold(question)
  const paired = [...text.matchAll(PAIRED_RUN)].flatMap(([run]) => run.split(PAIRED_STOP_WORDS)).flatMap(toPairs)
  const words = [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
  const others = [...new Set(words.filter((word) => !PAIRED_SCRIPT.test(word)))]
  const telling = others.filter((word) => !STOP_WORDS.has(word))
  return [...new Set(paired), ...(telling.length > 0 || paired.length > 0 ? telling : others)]
}

/** The pairs of adjacent characters in a word; a single character is returned as it is. */
function toPairs(word: string): string[] {
  const characters = [...word]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
}

interface FoundWord extends PassageRange {
  /** The word of the question. */
  word: string
}

const isUnspaced = (word: string): boolean => PAIRED_SCRIPT.test(word) || UNSPACED_SCRIPT.test(word)

function findWords(text: string, questionWords: readonly string[]): FoundWord[] {
  const folded = fold(text)
  const found = [
    ...findSpacedWords(
      folded,
      questionWords.filter((word) => !isUnspaced(word)),
    ),
    ...findUnspacedWords(folded, questionWords.filter(isUnspaced)),
  ]
  return found.sort((one, other) => one.start - other.start || other.end - one.end)
}

/** Words that touch or overlap become one mark. */
function joinRanges(words: readonly FoundWord[]): PassageRange[] {
  const joined: PassageRange[] = []
  for (const { word, start, end } of words) {
    const last = joined.at(-1)
    if (last && (start < last.end || (start === last.end && isUnspaced(word)))) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

function findSpacedWords({ text, places }: FoldedText, questionWords: readonly string[]): FoundWord[] {
  if (questionWords.length === 0) return []
  return [...wordSegmenter.segment(text)].flatMap(({ segment, index, isWordLike }): FoundWord[] => {
    const word = isWordLike ? questionWords.find((one) => isSameWord(one, segment)) : undefined
    return word === undefined ? [] : [{ word, ...toOriginal(places, index, segment.length) }]
  })
}

/** Without spaces, two texts may be segmented differently, so letters are compared. */
function findUnspacedWords({ text, places }: FoldedText, questionWords: readonly string[]): FoundWord[] {
  const isAlone = questionWords.every((word) => word.length === 1)
  return questionWords
    .filter((word) => word.length > 1 || isAlone)
    .flatMap((word): FoundWord[] => {
      const found: FoundWord[] = []
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
        found.push({ word, ...toOriginal(places, at, word.length) })
      return found
    })
}

const toOriginal = (places: readonly number[], index: number, length: number): PassageRange => ({
  start: places[index] ?? 0,
  end: places[index + length] ?? 0,
})

/** Equal, or two forms of one stem: "return" and "returned". */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return shared >= MIN_STEM_CHARS && Math.max(one.length, other.length) - shared <= MAX_ENDING_CHARS
}

const splitSentences = (text: string): PassageRange[] =>
  [...sentenceSegmenter.segment(text)].flatMap(({ segment, index }) =>
    [...segment.matchAll(/[^\n]*[^\s][^\n]*/g)].map((line) => {
      const start = index + line.index + (line[0].length - line[0].trimStart().length)
      return { start, end: start + line[0].trim().length }
    }),
  )

/** The first with the highest score; null if all scores are 0. */
function findBest(sentences: readonly PassageRange[], score: (sentence: PassageRange) => number): PassageRange | null {
  let best: PassageRange | null = null
  let highest = 0
  for (const sentence of sentences) {
    const value = score(sentence)
    if (value > highest) [best, highest] = [sentence, value]
  }
  return best
}

/** Each word of the question counts once, longer ones more. */
function scoreByWords({ start, end }: PassageRange, words: readonly FoundWord[]): number {
  const inside = new Set(words.filter((word) => word.start >= start && word.end <= end).map(({ word }) => word))
  return [...inside].reduce((sum, word) => sum + Math.log2(1 + word.length * (isUnspaced(word) ? 2 : 1)), 0)
}

/** The share of letter pairs that two texts have in common (Dice); 0 if it is too small to be meaningful. */
function likeness(one: string, other: string): number {
  const [pairs, otherPairs] = [letterPairs(one), letterPairs(other)]
  if (pairs.size === 0 || otherPairs.size === 0) return 0
  const common = [...pairs].filter((pair) => otherPairs.has(pair)).length
  const share = (2 * common) / (pairs.size + otherPairs.size)
  return share < MIN_LIKENESS ? 0 : share
}

function letterPairs(text: string): Set<string> {
  const letters = fold(text)
    .text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)))
}

/** Full sentences before and after the best one, as many as fit. */
function toWindow(text: string, sentences: readonly PassageRange[], best: PassageRange | null): PassageRange {
  if (text.length <= WINDOW_CHARS) return { start: 0, end: text.length }
  const at = best ?? { start: 0, end: 0 }
  const first = sentences.find(({ start }) => start >= at.start - LEAD_CHARS && start <= at.start)
  const start = Math.min(first?.start ?? at.start, at.start)
  const last = sentences.findLast(({ end }) => end <= start + WINDOW_CHARS)
  const end = Math.max(last?.end ?? 0, Math.min(at.end, start + WINDOW_CHARS))
  return { start, end: end > start ? end : Math.min(text.length, start + WINDOW_CHARS) }
}
