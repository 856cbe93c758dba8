import { phrasesFor } from './phrases.ts'
import { splitSentences, type Sentence } from './sentences.ts'
import { getTermOverlap, createTermWeights, extractTerms } from './terms.ts'

/** A retrieved passage. `mark` is its citation: its position in `retriever_resources`, or a file's name. */
export interface Passage {
  mark: number | string
  content: string
  /** In Q&A form the content is the question and this is its answer. */
  answer?: string | null | undefined
  /** Retrieval score, 0 to 1. */
  score: number
}

export interface ExtractionInput {
  question: string
  /** The previous question: a follow-up often omits its subject. */
  earlier: string[]
  passages: Passage[]
  /** Maximum number of quoted sentences. */
  maxSentences: number
}

interface Candidate extends Sentence {
  mark: number | string
  terms: ReadonlySet<string>
  headingTerms: ReadonlySet<string>
  passage: number
  order: number
  score: number
}

/** Minimum share of the question's weight for a sentence to count as an answer, and relative to the best sentence. */
const MIN_ANSWER_WEIGHT = 0.3
const MIN_SCORE_TO_BEST = 0.72
const EARLIER_QUESTION_WEIGHT = 0.4
const HEADING_WEIGHT = 0.5
const DUPLICATE_OVERLAP = 0.75
/** Separators between parts of a question: punctuation, or a conjunction. */
const QUESTION_PART_END = /[,;?!，；、？！]|\s(?:and|or)\s|以及|还有/u
const SENTENCE_END = /[.!。！…:：;；)）"”』」`]$/
const DEFINITION_QUESTION = /^\s*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\b|什么是|是什么|とは|何ですか/iu
const DEFINITION =
  /^(?!(?:in|on|at|for|with|from|by|to|under)\s)(?:(?:an?|the)\s)?[\p{L}\p{N}`*'’ -]{1,40}\s(?:is|are|was|were|means)\s|^[^，。]{1,12}(?:是|指)|^[^、。]{1,15}は/iu
const UNSPACED_TERM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u
const PARTICLE = /[\p{Script=Hiragana}的了吗呢是在和与及或用]/u

/**
 * Answers a question with the best matching sentences, each with the citation of its passage. Every sentence is a
 * quote; if nothing matches, the answer says so. Markdown.
 */
export function extractAnswer({ question, earlier, passages, maxSentences }: ExtractionInput): string {
  const phrases = phrasesFor(question)
  if (passages.length === 0) return phrases.nothing
  const chosen = chooseSentences(question, earlier, passages, maxSentences)
  const best = chosen[0]
  if (!best) return phrases.unanswered(toCitation([passages[0]?.mark ?? 1]))
  const quotedSentences = toQuotes(chosen)
  if (quotedSentences.length === 1 && !best.code)
    return `${quotedSentences[0]?.text} ${toCitation(quotedSentences[0]?.marks ?? [])}`
  return `${phrases.lead}\n\n${quotedSentences.map(toMarkdownQuote).join('\n')}`
}

/** A question with several parts is answered part by part, since no sentence matches all of them. */
function chooseSentences(question: string, earlier: string[], passages: Passage[], maxSentences: number): Candidate[] {
  const parts = question.split(QUESTION_PART_END).filter((part) => extractTerms(part).length > 1)
  const maxPerPart = Math.max(1, Math.floor(maxSentences / parts.length))
  const chosen =
    parts.length < 2 ? [] : parts.flatMap((part) => chooseBest(rankSentences(part, earlier, passages), maxPerPart))
  const unique = chosen.filter(({ text }, index) => chosen.findIndex((one) => one.text === text) === index)
  return unique.length > 1
    ? unique.slice(0, maxSentences)
    : chooseBest(rankSentences(question, earlier, passages), maxSentences)
}

/** All sentences of the passages, best first; those that do not answer are excluded. */
function rankSentences(question: string, earlier: string[], passages: Passage[]): Candidate[] {
  const candidates = passages.flatMap(toCandidates)
  const weight = createTermWeights(candidates.map(({ terms, headingTerms }) => new Set([...terms, ...headingTerms])))
  const passageTerms = new Set(candidates.flatMap(({ terms, headingTerms }) => [...terms, ...headingTerms]))
  const getTermWeight = (term: string) => weight(term) * getTermReliability(term, passageTerms.has(term))
  const questionWeights = new Map(
    earlier.flatMap((text) => extractTerms(text)).map((term) => [term, getTermWeight(term) * EARLIER_QUESTION_WEIGHT]),
  )
  for (const term of extractTerms(question)) questionWeights.set(term, getTermWeight(term))
  const questionWeight = [...new Set(extractTerms(question))].reduce((sum, term) => sum + getTermWeight(term), 0)
  const totalWeight = questionWeight || [...questionWeights.values()].reduce((sum, value) => sum + value, 0)
  if (totalWeight === 0) return []
  for (const candidate of candidates) {
    const answered = [...questionWeights].reduce(
      (sum, [term, value]) =>
        sum + (candidate.terms.has(term) ? value : candidate.headingTerms.has(term) ? value * HEADING_WEIGHT : 0),
      0,
    )
    candidate.score = answered / totalWeight
  }
  return candidates
    .map((candidate) => ({ ...candidate, base: candidate.score }))
    .filter(({ base }) => base >= MIN_ANSWER_WEIGHT)
    .map(({ base, ...candidate }) => ({
      ...candidate,
      score: base * lengthFactor(candidate) + getBonus(candidate, passages, questionWeights, question),
    }))
    .sort((one, other) => other.score - one.score || one.passage - other.passage || one.order - other.order)
}

/**
 * Many pairs of neighbouring characters are not words: a pair with a particle is not informative, and a pair that
 * occurs in no passage is not evidence against the passages.
 */
function getTermReliability(term: string, isInPassages: boolean): number {
  if (!UNSPACED_TERM.test(term)) return 1
  return (PARTICLE.test(term) ? 0.3 : 1) * (isInPassages ? 1 : 0.25)
}

function toCandidates({ mark, content, answer }: Passage, passage: number): Candidate[] {
  const parts = answer ? splitSentences(answer).map((part) => ({ ...part, heading: content })) : splitSentences(content)
  return parts.map((part, order) => ({
    ...part,
    mark,
    passage,
    order,
    terms: new Set(extractTerms(part.text)),
    headingTerms: new Set(extractTerms(part.heading)),
    score: 0,
  }))
}

/**
 * A question does not answer another, a fragment or a title is not informative, and a very long sentence matches
 * anything.
 */
function lengthFactor({ text, terms }: Candidate): number {
  if (/[?？]$/.test(text)) return 0.5
  if (terms.size < 3 || (text.length < 60 && !SENTENCE_END.test(text))) return 0.6
  return Math.min(1, 60 / Math.max(60, terms.size))
}

/**
 * The passage's retrieval score; a small bonus for a sentence that begins with the subject of the question, and a
 * larger one if it defines the subject and the question asks for a definition.
 */
function getBonus(
  { passage, text }: Candidate,
  passages: Passage[],
  questionWeights: ReadonlyMap<string, number>,
  question: string,
) {
  const [subject = '', next = ''] = extractTerms(text.slice(0, 80))
  const opensWithSubject = questionWeights.has(subject) || (UNSPACED_TERM.test(subject) && questionWeights.has(next))
  const isDefinition = opensWithSubject && DEFINITION.test(text) && DEFINITION_QUESTION.test(question)
  return 0.15 * (passages[passage]?.score ?? 0) + (isDefinition ? 0.8 : opensWithSubject ? 0.1 : 0)
}

function chooseBest(ranked: Candidate[], maxSentences: number): Candidate[] {
  const chosen: Candidate[] = []
  const minScore = (ranked[0]?.score ?? 0) * MIN_SCORE_TO_BEST
  for (const candidate of ranked) {
    if (chosen.length === maxSentences || candidate.score < minScore) break
    const isDuplicate = chosen.some(
      (one) => getTermOverlap(one.terms, candidate.terms) > DUPLICATE_OVERLAP && one.text !== candidate.text,
    )
    if (!isDuplicate) chosen.push(candidate)
  }
  return chosen
}

interface QuotedSentence {
  text: string
  code: boolean
  marks: (number | string)[]
}

/** In the order of the passages, without duplicates; a sentence of several passages has all their citations. */
function toQuotes(chosen: Candidate[]): QuotedSentence[] {
  const quotes = new Map<string, QuotedSentence>()
  const byPlace = chosen.toSorted((one, other) => one.passage - other.passage || one.order - other.order)
  for (const { text, code, mark } of byPlace) {
    const known = quotes.get(text)
    if (!known) quotes.set(text, { text, code, marks: [mark] })
    else if (!known.marks.includes(mark)) known.marks.push(mark)
  }
  return [...quotes.values()]
}

function toMarkdownQuote({ text, code, marks }: QuotedSentence): string {
  if (!code) return `- ${text} ${toCitation(marks)}`
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `- ${toCitation(marks)}\n\n${`${fence}\n${text}\n${fence}`.replace(/^/gm, '  ')}\n`
}

const toCitation = (marks: (number | string)[]): string =>
  marks.map((mark) => (typeof mark === 'number' ? `[${mark}]` : `(${mark})`)).join('')
