import { isJsonContainer } from '../losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

const MAX_TEXT_CHARS = 200
const MAX_NAME_CHARS = 100
const MAX_ITEMS = 5
/** Maximum characters of a text that are examined. */
const MAX_SCANNED_CHARS = 4 * MAX_TEXT_CHARS

/** Field names of secrets. A number under such a name (`total_tokens`) is not secret. */
const SECRET_NAME_PATTERN =
  /secret|passw|authorization|api.?key|(access|refresh|auth|bearer|session|id).?token|^token$|credential|cookie|private.?key|signature/i
export const REDACTED = '[withheld]'

/**
 * A recognizable excerpt of a value: the beginning of a text, the first items and fields, three levels. Secrets are
 * removed: text under a secret's field name, and the query of a URL, which may contain a signature.
 */
export function excerpt(value: unknown, levels = 3): unknown {
  if (typeof value === 'string')
    return truncate(value.slice(0, MAX_SCANNED_CHARS).replace(URL_WITH_QUERY_PATTERN, '$1?…'))
  if (!isJsonContainer(value)) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => excerpt(item, levels - 1))
  const fields = Object.entries(value).slice(0, MAX_ITEMS)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      truncateText(name, MAX_NAME_CHARS),
      redactByName(name, field) ?? excerpt(field, levels - 1),
    ]),
  )
}

/** The placeholder for a text under a secret's field name; null for anything else. */
export const redactByName = (name: string, value: unknown): string | null =>
  typeof value === 'string' && SECRET_NAME_PATTERN.test(name) ? REDACTED : null

/** A URL up to its query, and the query. */
const URL_WITH_QUERY_PATTERN = /(\bhttps?:\/\/[^\s?#"']{1,2000})\?[^\s"']+/gi

const truncate = (text: string): string => truncateText(text, MAX_TEXT_CHARS, '…')
