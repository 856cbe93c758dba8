import { foldCompatibility } from './chunking/foldCompatibility.ts'
import { toNormalForm } from './compatibilityForm.ts'
import { removeInvisibleCharacters } from './samenessKey.ts'

/** Accents, the points of Hebrew and Arabic, and the Arabic elongation; not the breve of й nor the voicing of Kana, which make other letters. */
const ACCENTS =
  /(?<![Ии])\u0306|(?![\u0306\u3099\u309A])(?=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Cyrillic}])\p{M}|\u0640/gu
/** Letters that have no decomposition. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  ς: 'σ',
}
const LETTERS_PATTERN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')
const ASCII_TEXT = /^[\0-\x7F]*$/

/** Folds width, accents and invisible characters; case is preserved. */
export const foldAccents = (text: string): string =>
  ASCII_TEXT.test(text)
    ? text
    : toNormalForm(toNormalForm(removeInvisibleCharacters(foldCompatibility(text)), 'NFD').replace(ACCENTS, ''), 'NFC')

/** Folds case and equivalent letters: ß equals ss. */
export const foldCase = (text: string): string =>
  text.toLowerCase().replace(LETTERS_PATTERN, (letter) => PLAIN_LETTERS[letter] ?? letter)

/**
 * Equal for texts that a search should match: case, width, accents, ß, Arabic marks, composed and decomposed forms
 * and invisible characters are ignored. For identity use `toSamenessKey`.
 */
export const toSearchKey = (text: string): string => foldCase(foldAccents(text))
