/** Before the digits of an integer that became a text; no text of people begins with it. */
const MARK = '\uE000'
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** All integers with fewer digits are kept. */
const LARGE_INTEGER = /^-?\d{16,}$/

/** JSON whose integers that a number would change are texts of their digits, which the functions below know. */
export const markLargeIntegers = (json: string): string =>
  json.replace(TOKEN, (token) =>
    LARGE_INTEGER.test(token) && String(Number(token)) !== token ? `"${MARK}${token}"` : token,
  )

/** The digits of a marked integer; null for any other value. */
const getLargeInteger = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null

/** The JSON text of a parsed value, with each marked integer as it was written. */
export const stringifyLargeIntegers = (value: unknown): string =>
  JSON.stringify(value).replace(new RegExp(`"${MARK}(-?\\d+)"`, 'g'), '$1')

/** The marked integers of a value, with the names that lead to them. */
export function findLargeIntegers(value: unknown, path: string): { path: string; digits: string }[] {
  const digits = getLargeInteger(value)
  if (digits !== null) return [{ path, digits }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => findLargeIntegers(one, path === '' ? name : `${path}.${name}`))
}
