/** A formula in the original text, its delimiters included. */
export interface FormulaRange {
  from: number
  to: number
}

/** A block whose formulas are escaped for the parser, with the mapping back to the original text. */
export interface EscapedText {
  text: string
  /** Offsets in `text` of the added backslashes; ascending. */
  added: readonly number[]
  /** In the order of the text. */
  formulas: readonly FormulaRange[]
}

/** Skipped: what looks like a formula in code, URLs and tags is none. */
const FENCED_CODE_PATTERN =
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?<fence>`{3,}|~{3,})[^]*?(?:^[ \t>]*\k<fence>[`~]*[ \t]*$|(?![^]))/.source
const CODE_PATTERN = /(?<ticks>`+)[^]*?(?:\k<ticks>(?!`)|(?![^]))|^(?: {4}|\t).*/.source
const SKIPPED_PATTERN = `${FENCED_CODE_PATTERN}|${CODE_PATTERN}|https?://\\S+|<[^<>\\n]*>`
/** A formula in brackets ends before the next one begins, so that a missing end costs linear time. */
const BRACKET_FORMULA_PATTERN = /\\\((?:(?!\\\()[^])+?\\\)|\\\[(?:(?!\\\[)[^])+?\\\]|\$\$[^]+?\$\$/.source
/** Between single dollars: a number, something that only formulas have, or letters and numbers without a word. Prices have neither. */
const DOLLAR_FORMULA_PATTERN =
  /(?<![\\$])\$(?! )(?:\d[\d.,]{0,20}|(?=[^$\n]*[\\^_={}])[^$\n]+?|(?=[^$\n]*[A-Za-z])(?![^$\n]*(?:[A-Za-z]{3}|[ (][A-Za-z]{2}))[\w(|+-][\w+\-*/<>()|,.!' ]{0,40}?)(?<! )\$(?![A-Za-z0-9$])/
    .source
const FORMULA_PATTERN = `${BRACKET_FORMULA_PATTERN}|${DOLLAR_FORMULA_PATTERN}`
const MATH_PATTERN = new RegExp(`(?<passed>${SKIPPED_PATTERN})|${FORMULA_PATTERN}`, 'gm')
const PUNCTUATION_PATTERN = /[!-/:-@[-`{-~]/

/** The parser must see formulas as plain text: without this, `\(a_1 * b_1\)` loses its backslashes and becomes italic. */
export function escapeMath(text: string): EscapedText {
  if (!/[$\\]/.test(text)) return { text, added: [], formulas: [] }
  const added: number[] = []
  const formulas: FormulaRange[] = []
  let escaped = ''
  let last = 0
  for (const match of text.matchAll(MATH_PATTERN)) {
    if (match.groups?.passed !== undefined) continue
    escaped += text.slice(last, match.index)
    for (const char of match[0]) {
      if (PUNCTUATION_PATTERN.test(char)) {
        added.push(escaped.length)
        escaped += '\\'
      }
      escaped += char
    }
    last = match.index + match[0].length
    formulas.push({ from: match.index, to: last })
  }
  return { text: escaped + text.slice(last), added, formulas }
}

/** Maps an offset in the escaped text to the original text. */
export function toOriginalOffset(added: readonly number[], offset: number): number {
  let low = 0
  let high = added.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((added[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return offset - low
}
