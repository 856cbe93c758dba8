import type { Usage } from '#contract/platform/schemas.ts'
import { toPlainPrice } from './price.ts'

/** Milliseconds as seconds: two digits under ten seconds, one under a hundred, none above. */
export function formatSeconds(ms: number): string {
  const value = ms / 1000
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

/** `4 B`, `1.5 kB`, `2.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

export const formatCount = (value: number): string => value.toLocaleString('en')

/**
 * A price with its currency, rounded for reading: three significant digits below 1, cents from there on. Null if there is
 * none.
 */
export function formatPrice(price: string | null | undefined, currency: string | null | undefined): string | null {
  return price ? withCurrency(roundPrice(price), currency) : null
}

/** A price with its currency and all digits that the platform sent; null without a price. */
export const formatExactPrice = (
  price: string | null | undefined,
  currency: string | null | undefined,
): string | null => (price ? withCurrency(toPlainPrice(price) ?? price, currency) : null)

function withCurrency(price: string, currency: string | null | undefined): string {
  if (currency === 'USD') return `$${price}`
  return currency ? `${price} ${currency}` : price
}

const SMALL_PRICE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const PRICE = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Text that is not a number is unchanged. */
function roundPrice(price: string): string {
  const value = Number(price)
  if (!Number.isFinite(value)) return price
  return (Math.abs(value) < 1 ? SMALL_PRICE : PRICE).format(value)
}

/** Tokens per second between the first token and the end; null if either is unknown. */
export function formatTokensPerSecond(
  usage: Usage | null,
  firstTokenMs: number | null,
  durationMs: number | null,
): string | null {
  const out = usage?.completion_tokens
  if (!out || firstTokenMs === null || durationMs === null) return null
  const took = (durationMs - firstTokenMs) / 1000
  return took >= 0.05 ? (out / took).toFixed(1) : null
}
