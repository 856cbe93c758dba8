const NUMBER_PATTERN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const DATE_PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?)?$/

/** What a value of a type is, for messages. */
export const describeMetadataType = (type: string): string =>
  type === 'number'
    ? 'a number'
    : type === 'time'
      ? 'a time in seconds since 1970, or a date such as 2026-11-28'
      : 'a text'

/**
 * A value of a metadata field by its type; undefined for a mismatch. A time is a number of seconds since 1970; a date
 * without a time zone is UTC.
 */
export function parseMetadataValue(type: string | null | undefined, value: unknown): string | number | undefined {
  const text = String(value)
  if (type !== 'number' && type !== 'time') return text
  return parseNumber(text.trim()) ?? (type === 'time' ? parseDate(text.trim()) : undefined)
}

/** An integer with more digits than a number keeps is invalid. */
function parseNumber(text: string): number | undefined {
  const number = NUMBER_PATTERN.test(text) ? Number(text) : Number.NaN
  const isKept = !/^[+-]?\d+$/.test(text) || Number.isSafeInteger(number)
  return Number.isFinite(number) && isKept ? number : undefined
}

function parseDate(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = DATE_PATTERN.exec(text) ?? []
  const day = new Date(`${date}T00:00Z`)
  // The 31st of a shorter month would become another day.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return undefined
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? undefined : at / 1000
}
