import { countTokens as count } from 'gpt-tokenizer'
import { counterOf } from '#contract/cutting/tokens.ts'

/** Text may name the tokenizer's own marks (`<|endoftext|>`): they are counted as text, where the default is to throw. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** Tokens of a text (o200k_base). */
export const countTokens = counterOf((text) => count(text, AS_TEXT))
