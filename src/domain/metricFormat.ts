import type { Usage } from '#contract/platform/schemas.ts'

/** Milliseconds as seconds: two digits under ten seconds, one under a hundred, none above. */
export function formatSeconds(ms: number): string {
  const value = ms / 1000
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

export const formatCount = (value: number): string => value.toLocaleString('en')

/** A price as the platform sent it, with its currency; null if there is none. Its digits are never changed. */
export function formatPrice(price: string | null | undefined, currency: string | null | undefined): string | null {
  if (price === null || price === undefined || price === '') return null
  if (currency === 'USD') return `$${price}`
  return currency ? `${price} ${currency}` : price
}

/** Tokens a second between the first token and the end; null where either is unknown. */
export function formatTokensPerSecond(
  usage: Usage | null,
  first_token_ms: number | null,
  duration_ms: number | null,
): string | null {
  const out = usage?.completion_tokens
  if (!out || first_token_ms === null || duration_ms === null) return null
  const took = (duration_ms - first_token_ms) / 1000
  return took >= 0.05 ? (out / took).toFixed(1) : null
}
