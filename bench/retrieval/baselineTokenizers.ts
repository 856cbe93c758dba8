import { stemmer } from 'stemmer'

export type Tokenizer = (text: string) => string[]

/** Scripts that are written without spaces between words. */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]'
const WORD_CHARACTER = '[\\p{L}\\p{N}\\p{M}]'
const UNSPACED_RUN = new RegExp(`[${UNSPACED}&&${WORD_CHARACTER}]+`, 'v')
const RUNS = new RegExp(`[${UNSPACED}&&${WORD_CHARACTER}]+|[${WORD_CHARACTER}--${UNSPACED}]+`, 'gv')

/** The stop words of Lucene's English analyzer. */
const ENGLISH_STOP_WORDS = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

/** Whether a text is mostly in a script without spaces. */
export function isUnspaced(text: string): boolean {
  const runs = text.match(RUNS) ?? []
  const unspacedLength = runs.filter((run) => UNSPACED_RUN.test(run)).reduce((sum, { length }) => sum + length, 0)
  return unspacedLength * 2 > runs.join('').length
}

/**
 * Terms as a textbook takes them: lower-case words, and pairs of neighbouring characters in scripts without spaces.
 * English words lose their endings (Porter) and stop words; words of other languages stay as they are.
 */
export function createTextbookTokenizer(lang: string): Tokenizer {
  const isEnglish = new Intl.Locale(lang).language === 'en'
  return (text) =>
    (text.normalize('NFKC').toLowerCase().match(RUNS) ?? []).flatMap((run) => {
      if (UNSPACED_RUN.test(run)) return toBigrams(run)
      if (!isEnglish) return [run]
      return ENGLISH_STOP_WORDS.has(run) ? [] : [stemmer(run)]
    })
}

/** Lower-case words as ICU finds them. */
export function createSegmenterTokenizer(lang: string): Tokenizer {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' })
  return (text) =>
    [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment.toLowerCase())
}

function toBigrams(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
