import { toSearchKey } from '#domain/searchKey.ts'
import { extractAnswerTerms } from './answerTerms.ts'
import type { Language } from './language.ts'
import { splitSentences, type Sentence } from './sentences.ts'

/** A retrieved passage. `mark` is its citation: its position in `retriever_resources`, or a file's name. */
export interface Passage {
  mark: number | string
  content: string
  /** In Q&A form the content is the question and this is its answer. */
  answer?: string | null | undefined
  /** Retrieval score, 0 to 1. */
  score: number
}

/** A sentence that may be quoted: the index of its passage, and its order in it. */
export interface CandidateSentence extends Sentence {
  mark: number | string
  passage: number
  order: number
  /** In the order of the text, with repetitions. */
  termList: readonly string[]
  terms: ReadonlySet<string>
  headingTerms: ReadonlySet<string>
  /** By the search key, for terms that are part of a longer word. */
  searchText: string
  termBeginnings: ReadonlySet<string>
}

/** A heading says less about a sentence than its own words. */
const HEADING_MATCH = 0.8
/** A term that begins like a word of the sentence, or is part of one: another form of the word, or a compound. */
const PARTIAL_MATCH = 0.6
const MIN_PARTIAL_LETTERS = 5

/** All sentences of the passages. `language` is that of the question and the passages. */
export function readCandidates(passages: readonly Passage[], language: Language): CandidateSentence[] {
  return passages.flatMap(({ mark, content, answer }, passage) => {
    const sentences = answer
      ? splitSentences(answer, language).map((sentence) => ({ ...sentence, heading: content }))
      : splitSentences(content, language)
    return sentences.map((sentence, order) => {
      const termList = extractAnswerTerms(sentence.text, language)
      return {
        ...sentence,
        mark,
        passage,
        order,
        termList,
        terms: new Set(termList),
        headingTerms: new Set(extractAnswerTerms(sentence.heading, language)),
        searchText: toSearchKey(sentence.text),
        termBeginnings: new Set(termList.map((term) => term.slice(0, MIN_PARTIAL_LETTERS))),
      }
    })
  })
}

/** How far a sentence has a term: 1 if it does, 0 if not. */
export function matchTerm(sentence: CandidateSentence, term: string): number {
  if (sentence.terms.has(term)) return 1
  if (sentence.headingTerms.has(term)) return HEADING_MATCH
  if (term.length < MIN_PARTIAL_LETTERS) return 0
  const isPartial =
    sentence.termBeginnings.has(term.slice(0, MIN_PARTIAL_LETTERS)) || sentence.searchText.includes(term)
  return isPartial ? PARTIAL_MATCH : 0
}
