import { toSearchKey } from '#domain/searchKey.ts'
import { extractAnswerTerms } from './answerTerms.ts'
import type { CandidateSentence } from './candidateSentences.ts'
import { isStopWord, type Language } from './language.ts'
import { isQuestionTerm, QUESTION_TERM_WEIGHT } from './questionWords.ts'

/** More letters do not make a term more informative. */
const MAX_INFORMATIVE_LETTERS = 8
/** Weight of a name or a number of the question, relative to another word; German has it for every noun. */
const NAME_WEIGHT = 2
/** Occurrences in a passage at which a term counts half: a passage repeats its subject. */
const HALF_OCCURRENCES = 0.5

/**
 * The evidence is a linear model: the shares of the question's terms in the passage and in the sentence, the share of
 * neighbouring terms that are neighbours in the sentence, and the logarithm of the number of terms, since a share of
 * many terms says more than one of few. Fitted by logistic regression to half of the questions of XQuAD en, de, zh
 * and ru, against the same questions without the documents of their article, and rounded (`npm run bench -- retrieval
 * --quality`). The retrieval score is not used: its scale differs between search methods.
 */
const PASSAGE_WEIGHT = 0.65
const SENTENCE_WEIGHT = 0.35
const PAIR_WEIGHT = 0.35
const TERM_COUNT_WEIGHT = 0.1
const MIN_EVIDENCE = 0.63

/**
 * Whether the passages answer the question. Names, numbers and long words count more; how rare a word is in the
 * dataset is not known here.
 *
 * `terms` are the question's, in order, with repetitions; `match` returns how far a sentence, by its index, has a
 * term.
 */
export function hasEvidence(
  { question, terms, language }: { question: string; terms: readonly string[]; language: Language },
  sentences: readonly CandidateSentence[],
  match: (sentence: number, term: string) => number,
): boolean {
  const names = new Set(
    [...question.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
      .slice(1) // The first word is always capitalized.
      .filter(([word]) => /^[\p{Lu}\p{N}]./u.test(word) && !isStopWord(toSearchKey(word), language))
      .flatMap(([word]) => extractAnswerTerms(word, language)),
  )
  const distinctTerms = [...new Set(terms)]
  const weights = distinctTerms.map(
    (term) =>
      Math.min(MAX_INFORMATIVE_LETTERS, term.length) *
      (names.has(term) ? NAME_WEIGHT : 1) *
      (isQuestionTerm(term, language) ? QUESTION_TERM_WEIGHT : 1),
  )
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  const share = (getMatch: (term: string) => number) =>
    distinctTerms.reduce((sum, term, index) => sum + (weights[index] ?? 0) * getMatch(term), 0) / totalWeight
  const passageShares = new Map<number, number>()
  const indexesByPassage = Map.groupBy(sentences.keys(), (index) => sentences[index]?.passage ?? 0)
  for (const [passage, indexes] of indexesByPassage)
    passageShares.set(
      passage,
      share((term) => {
        const occurrences = indexes.reduce((sum, index) => sum + match(index, term), 0)
        return occurrences / (occurrences + HALF_OCCURRENCES)
      }),
    )
  const pairs = toPairs(terms)
  const shares = sentences.map((sentence, index) => {
    const found = new Set(toPairs(sentence.termList))
    const pairShare = pairs.filter((pair) => found.has(pair)).length / Math.max(1, pairs.length)
    return (
      PASSAGE_WEIGHT * (passageShares.get(sentence.passage) ?? 0) +
      SENTENCE_WEIGHT * share((term) => match(index, term)) +
      PAIR_WEIGHT * pairShare
    )
  })
  const best = shares.reduce((max, value) => Math.max(max, value), 0)
  return best + TERM_COUNT_WEIGHT * Math.log(1 + distinctTerms.length) >= MIN_EVIDENCE
}

const toPairs = (terms: readonly string[]): string[] => terms.slice(1).map((term, index) => `${terms[index]} ${term}`)
