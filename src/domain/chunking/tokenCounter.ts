/** How many tokens a text has, by one tokenizer. */
export type CountTokens = (text: string) => number

/** A run without breaks is one word to the tokenizer, whose time is quadratic in the length of a word. */
const LONG_RUN_PATTERN = /[\p{L}\p{M}]{128,}|[^\s\p{L}\p{N}]{128,}|\s{128,}/gu
const RUN_PIECE_PATTERN = /[^]{1,128}/gu

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
      for (const [piece] of run.matchAll(RUN_PIECE_PATTERN)) tokens += count(piece)
      from = index + run.length
    }
    return tokens + count(from === 0 ? text : text.slice(from))
  }
