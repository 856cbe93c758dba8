import type { PlatformContext } from '../platformContext.ts'
import type { ModelMessage, ModelUsage } from './model.ts'

const ZERO_PRICE = '0.0000000'
const PRICE_UNIT = '0.001'

export interface UsageInput {
  messages: ModelMessage[]
  answer: string
  /** Usage as the model reports it; missing values are counted here. */
  reported: ModelUsage | null
  latency: number
  countTokens: PlatformContext['countTokens']
}

export type AnswerUsage = Awaited<ReturnType<typeof toAnswerUsage>>

/** `metadata.usage` of the interface. The platform charges nothing, so every price is zero. */
export async function toAnswerUsage({ messages, answer, reported, latency, countTokens }: UsageInput) {
  const counts = reported?.prompt_tokens ?? (await Promise.all(messages.map(({ content }) => countTokens(content))))
  const prompt_tokens = typeof counts === 'number' ? counts : counts.reduce((sum, count) => sum + count, 0)
  const completion_tokens = reported?.completion_tokens ?? (await countTokens(answer))
  return {
    prompt_tokens,
    prompt_unit_price: ZERO_PRICE,
    prompt_price_unit: PRICE_UNIT,
    prompt_price: ZERO_PRICE,
    completion_tokens,
    completion_unit_price: ZERO_PRICE,
    completion_price_unit: PRICE_UNIT,
    completion_price: ZERO_PRICE,
    total_tokens: prompt_tokens + completion_tokens,
    total_price: ZERO_PRICE,
    currency: 'USD',
    latency: Math.round(latency * 1000) / 1000,
  }
}

export const addUsage = (first: AnswerUsage, second: AnswerUsage): AnswerUsage => ({
  ...second,
  prompt_tokens: first.prompt_tokens + second.prompt_tokens,
  completion_tokens: first.completion_tokens + second.completion_tokens,
  total_tokens: first.total_tokens + second.total_tokens,
  latency: Math.round((first.latency + second.latency) * 1000) / 1000,
})
