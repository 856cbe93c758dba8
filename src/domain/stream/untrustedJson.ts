import { isJsonContainer, isNumeric, LosslessNumber } from '../losslessJson.ts'

/**
 * Readers of untrusted platform data: each accepts any value and returns a plain value or null, so that a fold neither
 * throws nor accepts values that JSON cannot represent.
 */

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A non-empty text. */
export const asId = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** A finite number, rounded where it has more digits; minus zero, which JSON does not preserve, becomes zero. */
export function asNumber(value: unknown): number | null {
  const number = isNumeric(value) ? Number(value) : NaN
  return Number.isFinite(number) ? number + 0 : null
}

export const asRecord = (value: unknown): Record<string, unknown> | null =>
  isJsonContainer(value) && !Array.isArray(value) ? (value as Record<string, unknown>) : null

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? (asJson(value) as unknown[]) : [])

/** The error message as text, whatever shape the platform sent. */
export function asMessage(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(asJson(value))
}

/** `JSON.stringify` and the database recurse into nested values; `JSON.parse` accepts any depth. */
export const MAX_JSON_DEPTH = 256
export const TOO_DEEP_NOTE = `[nested more than ${MAX_JSON_DEPTH} levels deep]`

/**
 * A JSON-safe value. Values that are already safe are returned uncopied. Infinity becomes null, levels below
 * `MAX_JSON_DEPTH` a note.
 */
export const asJson = (value: unknown): unknown => sanitize(value, MAX_JSON_DEPTH)

function sanitize(value: unknown, levelsLeft: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof LosslessNumber) return value
  if (typeof value === 'number') return asNumber(value)
  if (typeof value !== 'object' || value === null) return null
  if (levelsLeft === 0) return TOO_DEEP_NOTE
  return Array.isArray(value) ? sanitizeList(value, levelsLeft) : sanitizeRecord(value, levelsLeft)
}

function sanitizeList(list: unknown[], levelsLeft: number): unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const one = sanitize(list[at], levelsLeft - 1)
    if (Object.is(one, list[at])) continue
    copy ??= [...list]
    copy[at] = one
  }
  return copy ?? list
}

function sanitizeRecord(record: object, levelsLeft: number): object {
  const prototype: unknown = Object.getPrototypeOf(record)
  const values: unknown[] = Object.values(record)
  const safe = sanitizeList(values, levelsLeft)
  if (safe === values && (prototype === Object.prototype || prototype === null)) return record
  // Not an assignment by key: a field named `__proto__` must stay a field.
  return Object.fromEntries(Object.keys(record).map((name, at) => [name, safe[at]]))
}
