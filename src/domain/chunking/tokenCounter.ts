/** How many tokens a text has, by one tokenizer. */
export type CountTokens = (text: string) => number

const MAX_RUN_CHARS = 128
/** A run without breaks is one word to the tokenizer, whose time is quadratic in the length of a word. */
const LONG_RUN_PATTERN = /[\p{L}\p{M}]{128,}|[^\s\p{L}\p{N}]{128,}|\s{128,}/gu

/**
 * A tokenizer that is safe for any text: runs of more than 128 letters, symbols or blanks are counted in pieces of 128.
 * The tokenizer is an argument, so that screens that only show a rule need not load its vocabulary.
 */
export const makeTokenCounter =
  (count: CountTokens): CountTokens =>
  (text) => {
    let tokens = 0
    let from = 0
    for (const { index, 0: run } of text.matchAll(LONG_RUN_PATTERN)) {
      tokens += count(text.slice(from, index))
      for (const piece of splitByCodePoints(run, MAX_RUN_CHARS)) tokens += count(piece)
      from = index + run.length
    }
    return tokens + count(from === 0 ? text : text.slice(from))
  }

/** Cuts a text into pieces of at most `longest` UTF-16 units, never inside a code point. */
export function* splitByCodePoints(text: string, maxUnits: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = Math.min(text.length, from + maxUnits)
    const cut = end < text.length && isLowSurrogate(text, end) ? end - 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
