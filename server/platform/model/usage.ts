import type { PlatformContext } from '../context.ts'
import type { ModelMessage, ModelUsage } from './model.ts'

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
  countTokens: PlatformContext['countTokens']
}

export type AnswerUsage = Awaited<ReturnType<typeof usageOf>>

/** `metadata.usage` of the interface. The platform charges nothing, so every price is zero. */
export async function usageOf({ messages, answer, said, latency, countTokens }: Spent) {
  const counts = said?.prompt_tokens ?? (await Promise.all(messages.map(({ content }) => countTokens(content))))
  const prompt_tokens = typeof counts === 'number' ? counts : counts.reduce((sum, count) => sum + count, 0)
  const completion_tokens = said?.completion_tokens ?? (await countTokens(answer))
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
