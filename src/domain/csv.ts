/**
 * Quotes, blanks and invisible characters that a program may drop before it interprets a cell; none of them ends a
 * cell or a line. One character class: overlapping alternatives would be slow on a long run of one character.
 */
const DROPPED = '["\'\\p{Cf}\\p{Zs}\\v\\f\\u2028\\u2029]*'
/**
 * Positions where a formula may begin: at the start of a cell; after a semicolon or a tab, since programs that split
 * there see a new cell; and after a line break, for the same reason. Full-width and small characters count, since some programs
 * normalize them. Within a line a hyphen followed by a blank is a list item, and several hyphens are a rule: answers
 * contain many of both, and they are left unchanged.
 */
const STARTS: [before: string, formula: string][] = [
  ['^', `${DROPPED}[=+\\-@＝＋－＠﹦﹢﹣﹫\\t\\r\\n\\0]`],
  ['(?<=[;\\t])', `${DROPPED}[=+\\-@＝＋－＠﹦﹢﹣﹫]`],
  ['(?<=[\\r\\n])', `${DROPPED}(?:[=+@＝＋＠﹦﹢﹫]|[-－﹣](?![\\s-]))`],
]
const BEFORE_FORMULA = new RegExp(STARTS.map(([before, formula]) => `${before}(?=${formula})`).join('|'), 'gu')
const APOSTROPHE = new RegExp(STARTS.map(([before, formula]) => `${before}'(?=${formula})`).join('|'), 'gu')
const NEEDS_QUOTES_PATTERN = /[",;\t\r\n]|^\s|\s$/

/** No program takes a JSON number for a formula; with an apostrophe it would be text. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Byte order mark of the file; without it Excel uses the machine's code page. */
export const UTF8_BOM = '\uFEFF'

/**
 * One line of CSV (RFC 4180) with its line end. Text that would be a formula gets a leading apostrophe; null is an
 * empty cell.
 */
export const toCsvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`

function toCell(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  if (JSON_NUMBER.test(value)) return value
  const text = value.replace(BEFORE_FORMULA, "'")
  return NEEDS_QUOTES_PATTERN.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The original text of a cell: removes the apostrophe in front of a formula, which no spreadsheet counts as content.
 */
export const parseCsvCell = (cell: string): string => (cell.includes("'") ? cell.replace(APOSTROPHE, '') : cell)
