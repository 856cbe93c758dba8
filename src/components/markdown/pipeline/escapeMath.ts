/** A block whose formulas are escaped for the parser, with the mapping back to the original text. */
export interface EscapedText {
  text: string
  /** Offsets in `text` of the added backslashes; ascending. */
  added: readonly number[]
}

/** Skipped: what looks like a formula in code, URLs and tags is none. */
const FENCED_CODE_PATTERN =
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?<fence>`{3,}|~{3,})[^]*?(?:^[ \t>]*\k<fence>[`~]*[ \t]*$|(?![^]))/.source
const CODE_PATTERN = /(?<ticks>`+)[^]*?(?:\k<ticks>(?!`)|(?![^]))|^(?: {4}|\t).*/.source
const SKIPPED_PATTERN = `${FENCED_CODE_PATTERN}|${CODE_PATTERN}|https?://\\S+|<[^<>\\n]*>`
/** A formula in brackets ends before the next one begins, so that a missing end costs linear time. */
const FORMULA_PATTERN =
  /\\\((?:(?!\\\()[^])+?\\\)|\\\[(?:(?!\\\[)[^])+?\\\]|\$\$[^]+?\$\$|\$(?! )(?=[^$\n]*[\\^_={}])[^$\n]+?(?<! )\$(?!\d)/
    .source
const MATH_PATTERN = new RegExp(`(?<passed>${SKIPPED_PATTERN})|${FORMULA_PATTERN}`, 'gm')
const PUNCTUATION_PATTERN = /[!-/:-@[-`{-~]/

/** LaTeX formulas are shown as source text: without this, `\(a_1 * b_1\)` loses its backslashes and becomes italic. */
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
