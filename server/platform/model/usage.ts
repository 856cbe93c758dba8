import { countTokens } from 'gpt-tokenizer'
import type { Usage } from '#contract/shapes.ts'
import type { ModelMessage, ModelUsage } from './model.ts'

/** Text may name the tokenizer's own marks (`<|endoftext|>`): they are counted as text, where the default is to throw. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

export const tokensOf = (text: string): number => countTokens(text, AS_TEXT)

const FREE = '0.0000000'
/** Tokens that one unit price would buy, as a factor: a thousand. */
const PRICE_UNIT = '0.001'

export interface Spent {
  messages: ModelMessage[]
  answer: string
  /** What the model says it used; what it does not say is counted here. */
  said: ModelUsage | null
  /** Seconds. */
  latency: number
}

/** `metadata.usage` of the interface. The platform charges nothing, so every price is zero. */
export function usageOf({ messages, answer, said, latency }: Spent): Required<Usage> {
  const prompt_tokens = said?.prompt_tokens ?? messages.reduce((sum, { content }) => sum + tokensOf(content), 0)
  const completion_tokens = said?.completion_tokens ?? tokensOf(answer)
  return {
    prompt_tokens,
    prompt_unit_price: FREE,
    prompt_price_unit: PRICE_UNIT,
    prompt_price: FREE,
    completion_tokens,
    completion_unit_price: FREE,
    completion_price_unit: PRICE_UNIT,
    completion_price: FREE,
    total_tokens: prompt_tokens + completion_tokens,
    total_price: FREE,
    currency: 'USD',
    latency: Math.round(latency * 1000) / 1000,
  }
}
