const TEXT_LENGTH = 200
const NAME_LENGTH = 100
const ITEMS = 5
/** So much of a text is looked at. */
const MOST = 4 * TEXT_LENGTH

/** Fields whose text opens something. A number beside such a name (`total_tokens`) opens nothing. */
const SECRET =
  /secret|passw|authorization|api.?key|(access|refresh|auth|bearer|session|id).?token|^token$|credential|cookie|private.?key|signature/i
export const WITHHELD = '[withheld]'

/**
 * Enough of a value to know it by: the beginning of a text, the first items and fields, three levels. What opens
 * something is left out: text under a name that says so, and the query of an address, in which a signature may stand.
 */
export function excerpt(value: unknown, levels = 3): unknown {
  if (typeof value === 'string') return cut(value.slice(0, MOST).replace(ADDRESS, '$1?…'))
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => excerpt(item, levels - 1))
  const fields = Object.entries(value).slice(0, ITEMS)
  return Object.fromEntries(
    fields.map(([name, field]) => [name.slice(0, NAME_LENGTH), withheld(name, field) ?? excerpt(field, levels - 1)]),
  )
}

/** What stands for a text that is not shown, because of the name over it; null for anything else. */
export const withheld = (name: string, value: unknown): string | null =>
  typeof value === 'string' && SECRET.test(name) ? WITHHELD : null

/** An address up to its query, and the query. */
const ADDRESS = /(\bhttps?:\/\/[^\s?#"']{1,2000})\?[^\s"']+/gi

const cut = (text: string): string => (text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH)}…` : text)
