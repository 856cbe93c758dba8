import { extractAnswerTerms } from './answerTerms.ts'
import { detectLanguage } from './language.ts'
import { phrasesFor } from './phrases.ts'
import { splitSentences } from './sentences.ts'
import { getTermOverlap, createTermWeights } from '#domain/keywordSearch/terms.ts'

export interface SummaryInput {
  text: string
  /** Maximum number of sentences. */
  maxSentences: number
  /** The reader's focus; sentences about it are preferred. */
  focus?: string | undefined
  /** As a list instead of one paragraph. */
  list?: boolean | undefined
}

const DUPLICATE_OVERLAP = 0.6
/** Maximum characters that are read: the work grows with them, so a book is summarised from its beginning. */
const MAX_TEXT_CHARS = 100_000
const MAX_SENTENCES = 2000

/** Summarises a text by its most informative sentences, in their order. Every sentence is a quote. Markdown. */
export function extractSummary({ text, maxSentences, focus = '', list = false }: SummaryInput): string {
  const language = detectLanguage(text)
  const candidates = splitSentences(text.slice(0, MAX_TEXT_CHARS), language)
    .filter(({ code }) => !code)
    .slice(0, MAX_SENTENCES)
    .map(({ text: sentence }, order) => ({
      text: sentence,
      order,
      terms: new Set(extractAnswerTerms(sentence, language)),
      score: 0,
    }))
  if (candidates.length === 0) return phrasesFor(text).nothingToSummarise
  const weight = createTermWeights(candidates.map(({ terms }) => terms))
  const termCounts = new Map<string, number>()
  for (const { terms } of candidates) for (const term of terms) termCounts.set(term, (termCounts.get(term) ?? 0) + 1)
  const focusTerms = new Set(extractAnswerTerms(focus, language))
  for (const sentence of candidates) {
    // Frequent terms, damped by length; the opening of a text states its subject.
    const textWeight = [...sentence.terms].reduce(
      (sum, term) => sum + weight(term) * Math.log(1 + (termCounts.get(term) ?? 0)),
      0,
    )
    const focusCount = [...sentence.terms].filter((term) => focusTerms.has(term)).length
    sentence.score =
      (textWeight / Math.sqrt(4 + sentence.terms.size)) * (sentence.order === 0 ? 1.3 : 1) * (1 + focusCount)
  }
  const chosen: typeof candidates = []
  for (const sentence of candidates.toSorted((one, other) => other.score - one.score || one.order - other.order)) {
    if (chosen.length === maxSentences) break
    if (
      !chosen.some((one) => getTermOverlap(one.terms, sentence.terms) > DUPLICATE_OVERLAP || one.text === sentence.text)
    )
      chosen.push(sentence)
  }
  const chosenTexts = chosen.sort((one, other) => one.order - other.order).map((sentence) => sentence.text)
  if (list) return chosenTexts.map((sentence) => `- ${sentence}`).join('\n')
  return chosenTexts.join(language === 'zh' || language === 'ja' ? '' : ' ')
}
