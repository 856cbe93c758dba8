import { phrasesFor } from './phrases.ts'
import { sentences, type Sentence } from './sentences.ts'
import { overlap, rarity, terms } from './terms.ts'

/** A passage that was retrieved. `mark` is what cites it: its position in `retriever_resources`, or a file's name. */
export interface Passage {
  mark: number | string
  content: string
  /** In Q&A form the content is the question and this its answer. */
  answer?: string | null | undefined
  /** How well retrieval thinks it fits, 0 to 1. */
  score: number
}

export interface Question {
  question: string
  /** What was asked before: a follow-up often leaves its subject out. */
  earlier: string[]
  passages: Passage[]
  /** The most sentences to quote. */
  most: number
}

interface Candidate extends Sentence {
  mark: number | string
  bag: ReadonlySet<string>
  under: ReadonlySet<string>
  passage: number
  order: number
  score: number
}

/** Of the question's weight, what a sentence must hold to count as an answer, and what it needs beside the best one. */
const ENOUGH = 0.3
const BESIDE_BEST = 0.72
const EARLIER = 0.4
const UNDER_HEADING = 0.5
const SAME = 0.75
/** Where one part of a question ends: punctuation, or a word that joins. */
const PART_END = /[,;?!，；、？！]|\s(?:and|or)\s|以及|还有/u
const ENDED = /[.!。！…:：;；)）"”』」`]$/
const ASKS_WHAT = /^\s*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\b|什么是|是什么|とは|何ですか/iu
const DEFINITION =
  /^(?!(?:in|on|at|for|with|from|by|to|under)\s)(?:(?:an?|the)\s)?[\p{L}\p{N}`*'’ -]{1,40}\s(?:is|are|was|were|means)\s|^[^，。]{1,12}(?:是|指)|^[^、。]{1,15}は/iu
const UNSPACED_TERM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u
const PARTICLE = /[\p{Script=Hiragana}的了吗呢是在和与及或用]/u

/**
 * Answers a question with the sentences that fit it best, each with the mark of the passage that it stands in. Nothing
 * is written that does not stand in a passage; where nothing fits, the answer says so. Markdown.
 */
export function extract({ question, earlier, passages, most }: Question): string {
  const phrases = phrasesFor(question)
  if (passages.length === 0) return phrases.nothing
  const chosen = chooseFor(question, earlier, passages, most)
  const best = chosen[0]
  if (!best) return phrases.unanswered(cite([passages[0]?.mark ?? 1]))
  const quotes = gather(chosen)
  if (quotes.length === 1 && !best.code) return `${quotes[0]?.text} ${cite(quotes[0]?.marks ?? [])}`
  return `${phrases.lead}\n\n${quotes.map(quote).join('\n')}`
}

/** A question of several parts is answered part by part, since no sentence holds them all. */
function chooseFor(question: string, earlier: string[], passages: Passage[], most: number): Candidate[] {
  const parts = question.split(PART_END).filter((part) => terms(part).length > 1)
  const each = Math.max(1, Math.floor(most / parts.length))
  const chosen = parts.length < 2 ? [] : parts.flatMap((part) => choose(rank(part, earlier, passages), each))
  const unique = chosen.filter(({ text }, index) => chosen.findIndex((one) => one.text === text) === index)
  return unique.length > 1 ? unique.slice(0, most) : choose(rank(question, earlier, passages), most)
}

/** All sentences of the passages, best first; those that do not answer are left out. */
function rank(question: string, earlier: string[], passages: Passage[]): Candidate[] {
  const candidates = passages.flatMap(candidatesOf)
  const weight = rarity(candidates.map(({ bag, under }) => new Set([...bag, ...under])))
  const held = new Set(candidates.flatMap(({ bag, under }) => [...bag, ...under]))
  const tells = (term: string) => weight(term) * chance(term, held.has(term))
  const asked = new Map(earlier.flatMap((text) => terms(text)).map((term) => [term, tells(term) * EARLIER]))
  for (const term of terms(question)) asked.set(term, tells(term))
  const whole = [...new Set(terms(question))].reduce((sum, term) => sum + tells(term), 0)
  const all = whole || [...asked.values()].reduce((sum, value) => sum + value, 0)
  if (all === 0) return []
  for (const candidate of candidates) {
    const answered = [...asked].reduce(
      (sum, [term, value]) =>
        sum + (candidate.bag.has(term) ? value : candidate.under.has(term) ? value * UNDER_HEADING : 0),
      0,
    )
    candidate.score = answered / all
  }
  return candidates
    .map((candidate) => ({ ...candidate, base: candidate.score }))
    .filter(({ base }) => base >= ENOUGH)
    .map(({ base, ...candidate }) => ({
      ...candidate,
      score: base * lengthFactor(candidate) + favour(candidate, passages, asked, question),
    }))
    .sort((one, other) => other.score - one.score || one.passage - other.passage || one.order - other.order)
}

/**
 * Of two neighbouring characters many are no word: a pair with a particle tells little, and one that no passage holds
 * tells nothing against the passages.
 */
function chance(term: string, isHeld: boolean): number {
  if (!UNSPACED_TERM.test(term)) return 1
  return (PARTICLE.test(term) ? 0.3 : 1) * (isHeld ? 1 : 0.25)
}

function candidatesOf({ mark, content, answer }: Passage, passage: number): Candidate[] {
  const parts = answer ? sentences(answer).map((part) => ({ ...part, heading: content })) : sentences(content)
  return parts.map((part, order) => ({
    ...part,
    mark,
    passage,
    order,
    bag: new Set(terms(part.text)),
    under: new Set(terms(part.heading)),
    score: 0,
  }))
}

/** A question is no answer to another, a fragment or a title tells little, and an endless sentence holds any word. */
function lengthFactor({ text, bag }: Candidate): number {
  if (/[?？]$/.test(text)) return 0.5
  if (bag.size < 3 || (text.length < 60 && !ENDED.test(text))) return 0.6
  return Math.min(1, 60 / Math.max(60, bag.size))
}

/**
 * What retrieval thinks of the passage; a little for a sentence that begins with what was asked about, and more where it
 * says what that is and just this was asked.
 */
function favour(
  { passage, text }: Candidate,
  passages: Passage[],
  asked: ReadonlyMap<string, number>,
  question: string,
) {
  const [subject = '', next = ''] = terms(text.slice(0, 80))
  const opens = asked.has(subject) || (UNSPACED_TERM.test(subject) && asked.has(next))
  const defines = opens && DEFINITION.test(text) && ASKS_WHAT.test(question)
  return 0.15 * (passages[passage]?.score ?? 0) + (defines ? 0.8 : opens ? 0.1 : 0)
}

function choose(ranked: Candidate[], most: number): Candidate[] {
  const chosen: Candidate[] = []
  const least = (ranked[0]?.score ?? 0) * BESIDE_BEST
  for (const candidate of ranked) {
    if (chosen.length === most || candidate.score < least) break
    const repeats = chosen.some((one) => overlap(one.bag, candidate.bag) > SAME && one.text !== candidate.text)
    if (!repeats) chosen.push(candidate)
  }
  return chosen
}

interface Quote {
  text: string
  code: boolean
  marks: (number | string)[]
}

/** In the order of the passages, a sentence that stands in several of them once, with all their marks. */
function gather(chosen: Candidate[]): Quote[] {
  const quotes = new Map<string, Quote>()
  const byPlace = chosen.toSorted((one, other) => one.passage - other.passage || one.order - other.order)
  for (const { text, code, mark } of byPlace) {
    const known = quotes.get(text)
    if (!known) quotes.set(text, { text, code, marks: [mark] })
    else if (!known.marks.includes(mark)) known.marks.push(mark)
  }
  return [...quotes.values()]
}

function quote({ text, code, marks }: Quote): string {
  if (!code) return `- ${text} ${cite(marks)}`
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `- ${cite(marks)}\n\n${`${fence}\n${text}\n${fence}`.replace(/^/gm, '  ')}\n`
}

const cite = (marks: (number | string)[]): string =>
  marks.map((mark) => (typeof mark === 'number' ? `[${mark}]` : `(${mark})`)).join('')
