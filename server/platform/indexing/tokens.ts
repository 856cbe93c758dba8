import { countTokens as count } from 'gpt-tokenizer'

/** Text may name the tokenizer's own marks (`<|endoftext|>`): they are counted as text, where the default is to throw. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }
const LONGEST_RUN = 128
/** A run with no break in it is one word to the tokenizer, whose time grows with the square of a word. */
const LONG_RUN = /[\p{L}\p{M}]{128,}|[^\s\p{L}\p{N}]{128,}|\s{128,}/gu

/** Tokens of a text (o200k_base). Runs of more than 128 letters, signs or blanks are counted in pieces of 128. */
export function countTokens(text: string): number {
  let tokens = 0
  let from = 0
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    tokens += count(text.slice(from, index), AS_TEXT)
    for (const piece of codePointPieces(run, LONGEST_RUN)) tokens += count(piece, AS_TEXT)
    from = index + run.length
  }
  return tokens + count(from === 0 ? text : text.slice(from), AS_TEXT)
}

/** Cuts a text into pieces of at most `longest` UTF-16 units, never inside a code point. */
export function* codePointPieces(text: string, longest: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = Math.min(text.length, from + longest)
    const cut = end < text.length && isLowSurrogate(text, end) ? end - 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
