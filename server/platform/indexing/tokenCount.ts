import { countTokens as count, setMergeCacheSize } from 'gpt-tokenizer'
import { makeTokenCounter } from '#domain/chunking/tokenCounter.ts'

/**
 * The tokenizer's cache moves each hit to the end of a map; once that is full, a hit costs more than counting anew. Without it
 * a text takes the same time however many words were counted before.
 */
setMergeCacheSize(0)

/** Text may name the tokenizer's own marks (`<|endoftext|>`): they are counted as text, where the default is to throw. */
const COUNT_SPECIAL_AS_TEXT = { disallowedSpecial: new Set<string>() }

/** Tokens of a text (o200k_base). */
export const countTokens = makeTokenCounter((text) => count(text, COUNT_SPECIAL_AS_TEXT))
