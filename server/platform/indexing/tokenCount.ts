import { countTokens as count, setMergeCacheSize } from 'gpt-tokenizer'
import { makeTokenCounter } from '#domain/chunking/tokenCounter.ts'

/**
 * The tokenizer's LRU cache moves each hit to the end of a map; once it is full, a hit costs more than counting again.
 * Without it the time for a text does not depend on earlier counts.
 */
setMergeCacheSize(0)

/** Special tokens in a text (`<|endoftext|>`) are counted as text; the default is to throw. */
const COUNT_SPECIAL_AS_TEXT = { disallowedSpecial: new Set<string>() }

export const countTokens = makeTokenCounter((text) => count(text, COUNT_SPECIAL_AS_TEXT))
