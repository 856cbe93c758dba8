import { readDelimitedTable } from './delimitedTable.ts'
import type { Table } from './table.ts'

/** Separates the tables of a workbook in the text of its document. */
export const SHEET_SEPARATOR = '\f'

/** The tables of a document, from its text. */
export const readStoredTables = (text: string, extension: string): Table[] =>
  (extension === 'xlsx' ? text.split(SHEET_SEPARATOR) : [text]).map(readDelimitedTable)

/** The rows of a table as self-contained lines: each value after the name of its column, one row per line. */
export const toReadableLines = ({ heads, head, rows }: Table): string =>
  rows.length === 0
    ? (head?.cells ?? []).map(toOneLine).join('; ')
    : rows.map(({ cells }) => cells.map((cell, index) => toNamedValue(heads[index], cell)).join('; ')).join('\n')

const toNamedValue = (head: string | undefined, cell: string): string =>
  head === undefined ? toOneLine(cell) : `${toOneLine(head)}: ${toOneLine(cell)}`

/** A line break inside a cell would look like the end of its row. */
const toOneLine = (cell: string): string =>
  cell
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
