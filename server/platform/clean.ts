import { PlatformError } from './errors.ts'

const MAX_DEPTH = 64

/**
 * PostgreSQL stores neither NUL nor half a surrogate pair, so both leave every string before it is looked at: NUL goes,
 * a lone surrogate becomes U+FFFD. JSON that is nested deeper than any request of the interface is refused.
 */
export function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH)
    throw new PlatformError(400, 'bad_request', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleanText(name), clean(item, depth + 1)]))
}

export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
