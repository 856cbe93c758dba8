import papaparse from 'papaparse'
import { MAX_BATCH_ROWS } from '#contract/console/batches.ts'
import { parseCsvCell } from '#domain/csv.ts'

/** An error or a warning of a table. `row` counts from the first row below the header. */
export interface TableError {
  key: 'noHead' | 'noObject' | 'noRows' | 'tooManyRows' | 'openQuote' | 'strayQuote' | 'tooManyCells' | 'doubleHead'
  row?: number
  /** 1-based. */
  column?: number
  values?: Record<string, string | number>
}

export interface ParsedTable {
  /** Unique: a repeated header gets a number. */
  headers: string[]
  rows: string[][]
  delimiter: string
  /** Errors that block the table, or the row that they name. */
  errors: TableError[]
  notes: TableError[]
}

const GUESSED_DELIMITERS = [',', '\t', ';', '|']

/** Parses a table: a header and rows. Empty lines are skipped, short rows are padded with empty cells. */
export function parseTable(text: string): ParsedTable {
  const { data, errors, meta } = papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: GUESSED_DELIMITERS,
  })
  const table = toParsedTable(data, meta.delimiter)
  // The parser does not count skipped lines: find the row of a quote by its cell.
  for (const { type, code, row } of errors) {
    if (type !== 'Quotes' || row === undefined || table.rows.length === 0) continue
    const key = code === 'MissingQuotes' ? 'openQuote' : 'strayQuote'
    table.errors.push({ key, row: Math.min(row, table.rows.length) })
  }
  return { ...table, rows: table.rows.map((row) => row.map(parseCsvCell)), errors: dedupeErrors(table.errors) }
}

/** A table from its lines, the first of which is the header. */
export function toParsedTable([head, ...rows]: string[][], delimiter: string): ParsedTable {
  if (!head) return { headers: [], rows: [], delimiter, errors: [{ key: 'noHead' }], notes: [] }
  const { heads: headers, notes } = toUniqueHeaders(head)
  const tableErrors: TableError[] = []
  if (rows.length === 0) tableErrors.push({ key: 'noRows' })
  if (rows.length > MAX_BATCH_ROWS)
    tableErrors.push({ key: 'tooManyRows', values: { rows: rows.length, most: MAX_BATCH_ROWS } })
  for (const [index, row] of rows.entries())
    if (row.length > headers.length && row.slice(headers.length).some((cell) => cell !== ''))
      tableErrors.push({ key: 'tooManyCells', row: index + 1, values: { cells: row.length, heads: headers.length } })
  return { headers, rows, delimiter, errors: tableErrors, notes }
}

function toUniqueHeaders(head: string[]): { heads: string[]; notes: TableError[] } {
  const notes: TableError[] = []
  const heads: string[] = []
  for (const [index, given] of head.entries()) {
    const name = given.trim()
    const first = head.findIndex((other) => other.trim() === name)
    let unique = name || `column ${index + 1}`
    for (let number = 2; heads.includes(unique); number++) unique = `${name || `column ${index + 1}`} (${number})`
    if (first < index && name !== '')
      notes.push({ key: 'doubleHead', column: index + 1, values: { name, first: first + 1, now: unique } })
    heads.push(unique)
  }
  return { heads, notes }
}

/** The parser may report one quote many times. */
function dedupeErrors(faults: TableError[]): TableError[] {
  const seen = new Set<string>()
  return faults.filter(({ key, row }) => {
    const name = `${key} ${row}`
    return !seen.has(name) && seen.add(name)
  })
}
