import { hasEvidence } from './answerEvidence.ts'
import { extractAnswerTerms } from './answerTerms.ts'
import { matchTerm, type CandidateSentence, type Passage } from './candidateSentences.ts'
import type { Language } from './language.ts'
import { isQuestionTerm, QUESTION_TERM_WEIGHT } from './questionWords.ts'
import { createTermWeights } from '#domain/keywordSearch/terms.ts'

export interface RankedSentence extends CandidateSentence {
  score: number
  /** Share of the question's weight that the sentence itself has. */
  share: number
}

export interface SentenceQuery {
  question: string
  /** Earlier questions, for a follow-up that omits its subject. */
  earlier: readonly string[]
  language: Language
}

/** Maximum terms of a question that are read: pasted text does not improve the answer. */
const MAX_TERMS = 64
/** Weight of the terms of an earlier question, relative to those of the question. */
const EARLIER_QUESTION_WEIGHT = 0.4
/**
 * The score of a sentence is its share of the question's weight, 0 to 1, plus this times the retrieval score of its
 * passage, relative to the best.
 */
const PASSAGE_SCORE_WEIGHT = 0.7
/** Questions with more terms ask for something about their subject, not what it is. */
const MAX_DEFINED_TERMS = 3
/** Ranks a definition above a sentence that only names its subject. */
const DEFINITION_BONUS = 0.8

const SENTENCE_END = /[.!。！…:：;；)）"”』」`]$/
const DEFINITION_QUESTION = /^\s*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\b|什么是|是什么|とは|何ですか/iu
const DEFINITION =
  /^(?!(?:in|on|at|for|with|from|by|to|under)\s)(?:(?:an?|the)\s)?[\p{L}\p{N}`*'’ -]{1,40}\s(?:is|are|was|were|means)\s|^[^，。]{1,12}(?:是|指)|^[^、。]{1,15}は/iu

/** The sentences that answer a question, best first; none if the passages do not answer it. */
export function rankSentences(
  { question, earlier, language }: SentenceQuery,
  passages: readonly Passage[],
  sentences: readonly CandidateSentence[],
): RankedSentence[] {
  const questionTerms = extractAnswerTerms(question, language).slice(0, MAX_TERMS)
  const earlierTerms = earlier.flatMap((text) => extractAnswerTerms(text, language)).slice(0, MAX_TERMS)
  const ownTerms = questionTerms.length > 0 ? questionTerms : earlierTerms
  const ownTermCount = new Set(ownTerms).size
  const idf = createTermWeights(sentences.map(({ terms, headingTerms }) => new Set([...terms, ...headingTerms])))
  const weigh = (term: string) => idf(term) * (isQuestionTerm(term, language) ? QUESTION_TERM_WEIGHT : 1)
  const weights = new Map(earlierTerms.map((term) => [term, weigh(term) * EARLIER_QUESTION_WEIGHT]))
  for (const term of ownTerms) weights.set(term, weigh(term))
  const totalWeight = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  if (totalWeight === 0) return []

  const matches = sentences.map(
    (sentence) => new Map([...weights.keys()].map((term) => [term, matchTerm(sentence, term)])),
  )
  const match = (sentence: number, term: string) => matches[sentence]?.get(term) ?? 0
  if (!hasEvidence({ question, terms: ownTerms, language }, sentences, match)) return []

  const share = (getMatch: (term: string) => number) =>
    [...weights].reduce((sum, [term, weight]) => sum + weight * getMatch(term), 0) / totalWeight
  const maxPassageScore = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE)
  return sentences
    .flatMap((sentence, index) => {
      const sentenceShare = share((term) => match(index, term))
      if (sentenceShare === 0) return []
      const passageScore = (passages[sentence.passage]?.score ?? 0) / maxPassageScore
      const score = sentenceShare + PASSAGE_SCORE_WEIGHT * passageScore
      const bonus =
        DEFINITION_QUESTION.test(question) && ownTermCount <= MAX_DEFINED_TERMS && isDefinition(sentence, weights)
          ? DEFINITION_BONUS
          : 0
      return [{ ...sentence, share: sentenceShare, score: score * getFormFactor(sentence) + bonus }]
    })
    .sort((one, other) => other.score - one.score || one.passage - other.passage || one.order - other.order)
}

/** A question does not answer another, a fragment is not informative, and a very long sentence matches anything. */
function getFormFactor({ text, terms }: CandidateSentence): number {
  if (/[?？؟]$/.test(text)) return 0.5
  if (terms.size < 3 || (text.length < 60 && !SENTENCE_END.test(text))) return 0.6
  return Math.min(1, 60 / Math.max(60, terms.size))
}

/** Whether the sentence defines a term of the question. */
function isDefinition({ text, termList }: CandidateSentence, weights: ReadonlyMap<string, number>): boolean {
  return DEFINITION.test(text) && termList.slice(0, 2).some((term) => weights.has(term))
}
