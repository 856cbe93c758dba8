/** A block whose formulas are written so that the parser leaves them as they are, and the way back to the text it was. */
export interface EscapedText {
  text: string
  /** Where backslashes were put in, in places of `text`; ascending. */
  added: readonly number[]
}

/** Code, addresses and tags are passed over: what looks like a formula there is none. */
const FENCED_CODE_PATTERN =
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?<fence>`{3,}|~{3,})[^]*?(?:^[ \t>]*\k<fence>[`~]*[ \t]*$|(?![^]))/.source
const CODE_PATTERN = /(?<ticks>`+)[^]*?(?:\k<ticks>(?!`)|(?![^]))|^(?: {4}|\t).*/.source
const SKIPPED_PATTERN = `${FENCED_CODE_PATTERN}|${CODE_PATTERN}|https?://\\S+|<[^<>\\n]*>`
/** A formula in brackets ends before the next one begins: looking for an end that does not come takes no longer than the text. */
const FORMULA_PATTERN =
  /\\\((?:(?!\\\()[^])+?\\\)|\\\[(?:(?!\\\[)[^])+?\\\]|\$\$[^]+?\$\$|\$(?! )(?=[^$\n]*[\\^_={}])[^$\n]+?(?<! )\$(?!\d)/
    .source
const MATH_PATTERN = new RegExp(`(?<passed>${SKIPPED_PATTERN})|${FORMULA_PATTERN}`, 'gm')
const PUNCTUATION_PATTERN = /[!-/:-@[-`{-~]/

/** Formulas in LaTeX are shown as the text that they are: without this `\(a_1 * b_1\)` loses its backslashes and slants. */
export function escapeMath(text: string): EscapedText {
  if (!/[$\\]/.test(text)) return { text, added: [] }
  const added: number[] = []
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
  }
  return { text: escaped + text.slice(last), added }
}

/** The place in the text as it was of a place in the text as it is kept. */
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
