/** Quotes and blanks that a program may drop before it looks at a cell; none of them ends a cell or a line. */
const DROPPED = '(?:["\']|[^\\S\\t\\r\\n])*'
/**
 * Where a formula may begin: at the start of a cell; behind a semicolon or a tab, where a program that splits there sees a
 * cell of its own; and behind a line break, for the same reason. Full-width characters count, since some programs narrow
 * them. In a line a hyphen with a blank behind it is an item of a list, and several hyphens are a rule: answers are full of
 * both, and they stay as they are.
 */
const STARTS: [before: string, formula: string][] = [
  ['^', `${DROPPED}[=+\\-@＝＋－＠\\t\\r\\n\\0]`],
  ['(?<=[;\\t])', `${DROPPED}[=+\\-@＝＋－＠]`],
  ['(?<=[\\r\\n])', `${DROPPED}(?:[=+@＝＋＠]|[-－](?![\\s-]))`],
]
const BEFORE_FORMULA = new RegExp(STARTS.map(([before, formula]) => `${before}(?=${formula})`).join('|'), 'g')
const APOSTROPHE = new RegExp(STARTS.map(([before, formula]) => `${before}'(?=${formula})`).join('|'), 'g')
const NEEDS_QUOTES_PATTERN = /[",;\t\r\n]|^\s|\s$/

/** Stands before the first line, or Excel reads the file in the alphabet of the machine. */
export const UTF8_BOM = '\uFEFF'

/** One line of CSV (RFC 4180) with its end. Text that would be a formula gets an apostrophe before it; null is an empty cell. */
export const toCsvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

function toCell(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = value.replace(BEFORE_FORMULA, "'")
  return NEEDS_QUOTES_PATTERN.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell as it was before it was written: an apostrophe before what would be a formula is no part of it, in any spreadsheet. */
export const parseCsvCell = (cell: string): string => (cell.includes("'") ? cell.replace(APOSTROPHE, '') : cell)
