import * as stopword from 'stopword'
import { toSearchKey } from '#domain/searchKey.ts'

/** Languages that are distinguished; `other` is a text without enough common words. */
export type Language = keyof typeof STOP_WORD_LISTS | 'other'

/** The common words of each language, from the package `stopword`, by ISO 639-1 code. */
const STOP_WORD_LISTS = {
  en: stopword.eng,
  de: stopword.deu,
  fr: stopword.fra,
  es: stopword.spa,
  it: stopword.ita,
  pt: stopword.por,
  nl: stopword.nld,
  sv: stopword.swe,
  da: stopword.dan,
  nb: stopword.nob,
  fi: stopword.fin,
  pl: stopword.pol,
  cs: stopword.ces,
  hu: stopword.hun,
  ro: stopword.ron,
  tr: stopword.tur,
  vi: stopword.vie,
  id: stopword.ind,
  el: stopword.ell,
  ru: stopword.rus,
  uk: stopword.ukr,
  bg: stopword.bul,
  ar: stopword.ara,
  fa: stopword.fas,
  he: stopword.heb,
  hi: stopword.hin,
  ko: stopword.kor,
  zh: stopword.zho,
  ja: stopword.jpn,
  th: stopword.tha,
}

const toWordSets = (toWord: (word: string) => string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(STOP_WORD_LISTS).map(([language, words]) => [language, new Set(words.map(toWord))]))

const stopWords = toWordSets(toSearchKey)
/** Accents help to distinguish languages. */
const accentedStopWords = toWordSets((word) => word.toLowerCase())

/** Languages identified by their script alone. Kana comes before Han, since Japanese has both. */
const SCRIPTS: readonly [Language, RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['th', /\p{Script=Thai}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['el', /\p{Script=Greek}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
]

const MAX_DETECTED_CHARS = 2000
const WORD_PATTERN = /[\p{L}\p{M}]+/gu

/** True for a common word of the language, such as an article; `word` by its search key. */
export const isStopWord = (word: string, language: Language): boolean => stopWords.get(language)?.has(word) ?? false

/**
 * The language of a text, by its script or its common words. Reads the first 2,000 characters. A single question is
 * often too short: detect it together with the text it is about.
 */
export function detectLanguage(text: string): Language {
  const start = text.slice(0, MAX_DETECTED_CHARS).normalize('NFKC').toLowerCase()
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  for (const [language, script] of SCRIPTS) {
    const found = start.match(new RegExp(script.source, 'gu'))?.length ?? 0
    if (found > letters / 10) return language
  }
  const words = start.match(WORD_PATTERN) ?? []
  let best: Language = 'other'
  let bestCount = Math.max(1, words.length / 10)
  for (const [language, common] of accentedStopWords) {
    // Long lists would win by their rare words: their share of the text counts, not their length.
    const count = words.filter((word) => common.has(word)).length
    if (count > bestCount) {
      best = language as Language
      bestCount = count
    }
  }
  return best
}
