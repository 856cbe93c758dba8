/** A block whose formulas are written so that the parser leaves them as they are, and the way back to the text it was. */
export interface Kept {
  text: string
  /** Where backslashes were put in, in places of `text`; ascending. */
  added: readonly number[]
}

/** Code, addresses and tags are passed over: what looks like a formula there is none. */
const FENCED = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?<fence>`{3,}|~{3,})[^]*?(?:^[ \t>]*\k<fence>[`~]*[ \t]*$|(?![^]))/
  .source
const CODE = /(?<ticks>`+)[^]*?(?:\k<ticks>(?!`)|(?![^]))|^(?: {4}|\t).*/.source
const PASSED = `${FENCED}|${CODE}|https?://\\S+|<[^<>\\n]*>`
/** A formula in brackets ends before the next one begins: looking for an end that does not come takes no longer than the text. */
const FORMULAS =
  /\\\((?:(?!\\\()[^])+?\\\)|\\\[(?:(?!\\\[)[^])+?\\\]|\$\$[^]+?\$\$|\$(?! )(?=[^$\n]*[\\^_={}])[^$\n]+?(?<! )\$(?!\d)/
    .source
const FOUND = new RegExp(`(?<passed>${PASSED})|${FORMULAS}`, 'gm')
const MARK = /[!-/:-@[-`{-~]/

/** Formulas in LaTeX are shown as the text that they are: without this `\(a_1 * b_1\)` loses its backslashes and slants. */
export function keepMath(text: string): Kept {
  if (!/[$\\]/.test(text)) return { text, added: [] }
  const added: number[] = []
  let kept = ''
  let last = 0
  for (const match of text.matchAll(FOUND)) {
    if (match.groups?.passed !== undefined) continue
    kept += text.slice(last, match.index)
    for (const char of match[0]) {
      if (MARK.test(char)) {
        added.push(kept.length)
        kept += '\\'
      }
      kept += char
    }
    last = match.index + match[0].length
  }
  return { text: kept + text.slice(last), added }
}

/** The place in the text as it was of a place in the text as it is kept. */
export function originalOf(added: readonly number[], place: number): number {
  let low = 0
  let high = added.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((added[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return place - low
}
