import { PlatformError } from './platformErrors.ts'
import { isJsonContainer } from '#domain/losslessJson.ts'

const MAX_JSON_DEPTH = 64

/**
 * PostgreSQL stores neither NUL nor lone surrogates, so every string is cleaned before validation: NUL is removed, a
 * lone surrogate becomes U+FFFD. JSON that is nested deeper than any request of the interface is refused.
 */
export function sanitizeInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (!isJsonContainer(value)) return value
  if (depth > MAX_JSON_DEPTH)
    throw new PlatformError(400, 'bad_request', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
  if (Array.isArray(value)) return value.map((item) => sanitizeInput(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [sanitizeText(name), sanitizeInput(item, depth + 1)]),
  )
}

export const sanitizeText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
