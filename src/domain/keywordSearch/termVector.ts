import { FORMER_FOLDING, splitAllRuns, stem, toBigrams, type TextFolding } from './terms.ts'

/**
 * A term of a text as the search sees it. A word has two: its stem, and its first letters, which its other forms
 * share in any language. A run of a script without blanks has its pairs of characters, its Chinese characters and its
 * longer words.
 */
interface TextTerm {
  text: string
  /** Share of the evidence of its word. */
  weight: number
  /** True if every passage with another term of the same word also has this one, so that it finds them all. */
  isCovering: boolean
  unspaced: boolean
  /** Compared only if a question has nothing else. */
  isStopWord: boolean
}

/** Bag of words of a text for the search: hashes, repeated by frequency. */
export interface TermVector {
  terms: number[]
  /** Number of words, before the marker was added and repetitions were limited. */
  length: number
}

/** A term of a question, by its hash; repeated terms add their weights. */
export interface QueryTerm extends Omit<TextTerm, 'text' | 'isStopWord'> {
  hash: number
  field: 'text' | 'title'
}

const MAX_TERM_REPEATS = 8
/**
 * First letters by which the forms of a word are found, chosen with equal weights of stem and prefix by `npm run
 * bench -- retrieval`.
 */
const PREFIX_LETTERS = 5
const PREFIX_WEIGHT = 0.5
/** A pair across the border of two words is mostly accidental. */
const CROSSING_PAIR_WEIGHT = 0.5
const CHARACTER_WEIGHT = 0.5
const UNSPACED_WORD_WEIGHT = 0.5
/** Weight of a term in the title of a document, relative to one in its text, chosen by `npm run bench -- retrieval`. */
const TITLE_WEIGHT = 0.3

const HAN = /^\p{Script=Han}$/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * What a passage is found by in addition to its text: its dataset, the title of its document, and keywords of its
 * segment.
 */
export interface PassageContext {
  dataset_id: string
  title: string
  keywords?: readonly string[]
}

/**
 * The bag of a passage: the terms of its text and its keywords, those of its document's title as a field of their own, and
 * its marker.
 */
export function toTermVector(text: string, { dataset_id, title, keywords = [] }: PassageContext): TermVector {
  const counts = new Map<string, number>()
  let length = 0
  for (const { text: term, isCovering, isStopWord } of splitTerms(text)) {
    counts.set(term, isStopWord ? 1 : (counts.get(term) ?? 0) + 1)
    if (isCovering && !isStopWord) length++
  }
  for (const keyword of keywords)
    for (const { text: term } of splitTerms(keyword)) counts.set(term, counts.get(term) ?? 1)
  const terms = [toDatasetMarker(dataset_id)]
  for (const [term, count] of counts)
    terms.push(...Array<number>(Math.min(count, MAX_TERM_REPEATS)).fill(hashTerm(term)))
  return { terms: [...terms, ...toTitleTerms(title)], length }
}

const toTitleTerms = (title: string): number[] =>
  [...new Set([...splitTerms(title)].map(({ text }) => text))].map((term) => hashTerm(toTitleTerm(term)))

/**
 * The distinct terms of a question, each also as a term of the title; stop words only if it has no others.
 * `hasFormerTerms` adds the terms of earlier versions.
 */
export function toQueryTerms(query: string, { hasFormerTerms = false } = {}): QueryTerm[] {
  const terms = new Map<string, TextTerm>()
  for (const term of omitStopWords([...splitTerms(query)])) {
    const known = terms.get(term.text)
    if (!known) terms.set(term.text, term)
    else
      terms.set(term.text, {
        ...known,
        weight: known.weight + term.weight,
        isCovering: known.isCovering || term.isCovering,
      })
  }
  if (hasFormerTerms) for (const term of listFormerTerms(query)) if (!terms.has(term.text)) terms.set(term.text, term)
  return [...terms.values()].flatMap(({ text, weight, isCovering, unspaced }): QueryTerm[] => [
    { hash: hashTerm(text), field: 'text', weight, isCovering, unspaced },
    { hash: hashTerm(toTitleTerm(text)), field: 'title', weight: weight * TITLE_WEIGHT, isCovering, unspaced },
  ])
}

function omitStopWords(terms: readonly TextTerm[]): readonly TextTerm[] {
  const others = terms.filter(({ isStopWord }) => !isStopWord)
  return others.some(({ isCovering }) => isCovering) ? others : terms
}

/** Those of version 2, and the whole words of version 1. */
function listFormerTerms(query: string): TextTerm[] {
  const words = [...splitAllRuns(query, FORMER_FOLDING)].filter(({ isStopWord }) => !isStopWord)
  return [
    ...[...splitTerms(query, FORMER_FOLDING)].filter(({ isStopWord }) => !isStopWord),
    ...words.map(({ text, unspaced }) => ({
      text,
      weight: PREFIX_WEIGHT,
      isCovering: true,
      unspaced,
      isStopWord: false,
    })),
  ]
}

function* splitTerms(text: string, folding?: TextFolding): Generator<TextTerm> {
  for (const run of splitAllRuns(text, folding))
    if (run.unspaced) yield* splitUnspacedRun(run.text)
    else if (run.isStopWord) yield* splitStopWord(run.text, run.written)
    else yield* splitWord(run.text)
}

/** A word in capitals may be a name, such as IT or WHO. */
function* splitStopWord(word: string, written: string): Generator<TextTerm> {
  yield { ...STOP_WORD, text: toStopTerm(word), isCovering: true }
  if (/^[A-Z]{2,}$/.test(written)) yield { ...STOP_WORD, text: toStopTerm(written), isCovering: false }
}

const STOP_WORD = { weight: 1, unspaced: false, isStopWord: true }

/** A number or an identifier is one term. */
function* splitWord(word: string): Generator<TextTerm> {
  const base = stem(word)
  const prefix = /\p{N}/u.test(base) ? base : [...base].slice(0, PREFIX_LETTERS).join('')
  const term = { unspaced: false, isStopWord: false }
  if (prefix === base) return yield { ...term, text: base, weight: 1, isCovering: true }
  yield { ...term, text: base, weight: 1 - PREFIX_WEIGHT, isCovering: false }
  yield { ...term, text: prefix, weight: PREFIX_WEIGHT, isCovering: true }
}

function* splitUnspacedRun(run: string): Generator<TextTerm> {
  const term = { unspaced: true, isStopWord: false }
  const characters = [...run]
  const insideWord = new Set<number>()
  let position = 0
  for (const { segment } of segmenter.segment(run)) {
    const length = [...segment].length
    for (let index = position; index < position + length - 1; index++) insideWord.add(index)
    if (length > 2) yield { ...term, text: segment, weight: UNSPACED_WORD_WEIGHT, isCovering: false }
    position += length
  }
  for (const { pair, position: start, isStopWord } of toBigrams(run)) {
    const weight = characters.length === 1 || insideWord.has(start) ? 1 : CROSSING_PAIR_WEIGHT
    yield { ...term, text: isStopWord ? toStopTerm(pair) : pair, weight, isCovering: true, isStopWord }
  }
  if (characters.length === 1) return
  for (const character of characters)
    if (HAN.test(character)) yield { ...term, text: character, weight: CHARACTER_WEIGHT, isCovering: false }
}

/** No other term has a colon. */
const toStopTerm = (word: string): string => `stop:${word}`
const toTitleTerm = (term: string): string => `title:${term}`

/** Part of every bag of a dataset, so that one index finds the words of one dataset. */
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
