import type { Turn } from '../turn.ts'

/** One metric of two runs; null if missing. `change` is after minus before, null if that is meaningless. */
export interface ComparedMetric {
  name: 'firstToken' | 'duration' | 'promptTokens' | 'completionTokens' | 'tokens' | 'price' | 'frames' | 'characters'
  before: number | null
  after: number | null
  change: number | null
}

/** Compares the metrics of two runs. Prices in different currencies are never compared. */
export function compareMetrics(before: Turn, after: Turn): ComparedMetric[] {
  const [one, two] = [readMetrics(before), readMetrics(after)]
  const isOneCurrency = before.answer.usage?.currency === after.answer.usage?.currency
  return (Object.keys(one) as ComparedMetric['name'][]).map((name) => {
    const [left, right] = [one[name], two[name]]
    const isComparable = left !== null && right !== null && (name !== 'price' || isOneCurrency)
    return { name, before: left, after: right, change: isComparable ? right - left : null }
  })
}

/** The metrics of a run, as numbers. */
export function readMetrics({
  answer,
  first_token_ms,
  duration_ms,
  frames,
}: Turn): Record<ComparedMetric['name'], number | null> {
  const { usage, run, text } = answer
  const price = usage?.total_price ? Number(usage.total_price) : NaN
  return {
    firstToken: first_token_ms,
    duration: duration_ms,
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    tokens: usage?.total_tokens ?? run.total_tokens,
    price: Number.isFinite(price) ? price : null,
    frames,
    characters: text.length,
  }
}
