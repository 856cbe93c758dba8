import { isStopWord, type Language } from './language.ts'
import { splitRuns, stem, toBigrams, type TextRun } from '#domain/keywordSearch/terms.ts'

/** First letters by which the forms of a word are one term, where the language has no stemmer: “Kirche”, “kirchlich”. */
const MAX_WORD_LETTERS = 6
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The terms of a question or a sentence, in order, without the common words of the language: stemmed or cut words,
 * and the words of ICU in scripts without blanks. Words show whether a sentence answers; pairs of characters, which
 * the search compares, occur in any text by accident.
 */
export function extractAnswerTerms(text: string, language: Language): string[] {
  return splitRuns(text).flatMap((run) =>
    splitWords(run)
      .filter((word) => !isStopWord(word, language))
      .map((word) => (run.unspaced ? word : toWordTerm(word, language))),
  )
}

/** A Korean word carries its particles, so its pairs of characters are compared. */
function splitWords({ text, unspaced }: TextRun): string[] {
  if (!unspaced) return [text]
  if (/^\p{Script=Hangul}/u.test(text)) return toBigrams(text).map(({ pair }) => pair)
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const toWordTerm = (word: string, language: Language): string =>
  language === 'en' || language === 'other' ? stem(word) : stem(word).slice(0, MAX_WORD_LETTERS)
