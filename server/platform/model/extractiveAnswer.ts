import { readCandidates, type Passage } from './candidateSentences.ts'
import { detectLanguage } from './language.ts'
import { phrasesFor } from './phrases.ts'
import { splitQuestion } from './questionWords.ts'
import { rankSentences, type RankedSentence } from './sentenceRanking.ts'
import { getTermOverlap } from '#domain/keywordSearch/terms.ts'

export interface ExtractionInput {
  question: string
  /** The previous question: a follow-up often omits its subject. */
  earlier: string[]
  passages: Passage[]
  /** Maximum number of quoted sentences. */
  maxSentences: number
}

/**
 * What a further sentence needs to be quoted next to the best one: this part of its score, and this part of the
 * square of its share of the question, so that a sentence with all terms of the question stands alone.
 */
const MIN_SCORE_TO_BEST = 0.7
const MIN_SHARE_TO_BEST = 0.7
/** Above it two sentences say the same. */
const DUPLICATE_OVERLAP = 0.75

/**
 * Answers a question with the best matching sentences, each with the citation of its passage. Every sentence is a
 * quote; if nothing matches, the answer says so. Markdown.
 */
export function extractAnswer(input: ExtractionInput): string {
  const { question, passages } = input
  const phrases = phrasesFor(question)
  if (passages.length === 0) return phrases.nothing
  const chosen = chooseSentences(input)
  const best = chosen[0]
  if (!best) return phrases.unanswered(toCitation([passages[0]?.mark ?? 1]))
  const quotedSentences = toQuotes(chosen)
  if (quotedSentences.length === 1 && !best.code)
    return `${quotedSentences[0]?.text} ${toCitation(quotedSentences[0]?.marks ?? [])}`
  return `${phrases.lead}\n\n${quotedSentences.map(toMarkdownQuote).join('\n')}`
}

/** A question with several parts is answered part by part, since no sentence matches all of them. */
function chooseSentences({ question, earlier, passages, maxSentences }: ExtractionInput): RankedSentence[] {
  const language = detectLanguage([question, ...passages.map(({ content }) => content)].join('\n'))
  const candidates = readCandidates(passages, language)
  const choose = (part: string, count: number) =>
    chooseBest(rankSentences({ question: part, earlier, language }, passages, candidates), count)
  const parts = splitQuestion(question, maxSentences)
  const maxPerPart = Math.max(1, Math.floor(maxSentences / parts.length))
  const chosen = parts.flatMap((part) => choose(part, maxPerPart))
  const unique = chosen.filter(
    ({ passage, order }, index) => chosen.findIndex((one) => one.passage === passage && one.order === order) === index,
  )
  return parts.length === 1 || unique.length > 1 ? unique : choose(question, maxSentences)
}

function chooseBest(ranked: RankedSentence[], maxSentences: number): RankedSentence[] {
  const chosen: RankedSentence[] = []
  const minScore = (ranked[0]?.score ?? 0) * MIN_SCORE_TO_BEST
  const minShare = MIN_SHARE_TO_BEST * (ranked[0]?.share ?? 0) ** 2
  for (const candidate of ranked) {
    if (candidate.share < minShare) continue
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

/** In the order of the passages, without duplicates; a sentence in several passages has all their citations. */
function toQuotes(chosen: RankedSentence[]): QuotedSentence[] {
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
