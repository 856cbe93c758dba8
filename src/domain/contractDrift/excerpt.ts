const MAX_TEXT_CHARS = 200
const MAX_NAME_CHARS = 100
const MAX_ITEMS = 5
/** So much of a text is looked at. */
const MAX_SCANNED_CHARS = 4 * MAX_TEXT_CHARS

/** Fields whose text opens something. A number beside such a name (`total_tokens`) opens nothing. */
const SECRET_NAME_PATTERN =
  /secret|passw|authorization|api.?key|(access|refresh|auth|bearer|session|id).?token|^token$|credential|cookie|private.?key|signature/i
export const REDACTED = '[withheld]'

/**
 * Enough of a value to know it by: the beginning of a text, the first items and fields, three levels. What opens
 * something is left out: text under a name that says so, and the query of an address, in which a signature may stand.
 */
export function excerpt(value: unknown, levels = 3): unknown {
  if (typeof value === 'string')
    return truncate(value.slice(0, MAX_SCANNED_CHARS).replace(URL_WITH_QUERY_PATTERN, '$1?…'))
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => excerpt(item, levels - 1))
  const fields = Object.entries(value).slice(0, MAX_ITEMS)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name.slice(0, MAX_NAME_CHARS),
      redactByName(name, field) ?? excerpt(field, levels - 1),
    ]),
  )
}

/** What stands for a text that is not shown, because of the name over it; null for anything else. */
export const redactByName = (name: string, value: unknown): string | null =>
  typeof value === 'string' && SECRET_NAME_PATTERN.test(name) ? REDACTED : null

/** An address up to its query, and the query. */
const URL_WITH_QUERY_PATTERN = /(\bhttps?:\/\/[^\s?#"']{1,2000})\?[^\s"']+/gi

const truncate = (text: string): string => (text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text)
