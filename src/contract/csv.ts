/**
 * A spreadsheet would run such a cell as a formula; blanks too, since some trim before they look. One that has apostrophes
 * before it gets another, so that exactly one is taken away when the cell is read.
 */
const FORMULA = /^'*\s*[=+\-@\t\r]/
const QUOTED = /[",\r\n]|^\s|\s$/

/** Stands before the first line, or Excel reads the file in the alphabet of the machine. */
export const CSV_MARK = '\uFEFF'

/** One line of CSV (RFC 4180) with its end. Text that would be a formula gets an apostrophe before it; null is an empty cell. */
export const csvLine = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return QUOTED.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell as it was before it was written: an apostrophe before what would be a formula is no part of it, in any spreadsheet. */
export const readCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)
