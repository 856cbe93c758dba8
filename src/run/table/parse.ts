import papaparse from 'papaparse'
import { ROWS_AT_MOST } from '#contract/batches.ts'
import { readCell } from '#contract/csv.ts'

/** What is wrong with a table as such, or of note in it. `row` counts from the first row below the head. */
export interface TableFault {
  key: 'noHead' | 'noObject' | 'noRows' | 'tooManyRows' | 'openQuote' | 'strayQuote' | 'tooManyCells' | 'doubleHead'
  row?: number
  /** From 1. */
  column?: number
  values?: Record<string, string | number>
}

export interface Table {
  /** Each is there once: a head that comes again has its number behind it. */
  heads: string[]
  rows: string[][]
  delimiter: string
  /** They keep the table, or the row they name, from being sent. */
  faults: TableFault[]
  notes: TableFault[]
}

const DELIMITERS = [',', '\t', ';', '|']

/** A table out of its text: a head, and rows below it. Empty lines are none, short rows end in empty cells. */
export function parseTable(text: string): Table {
  const { data, errors, meta } = papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  })
  const [head, ...rows] = data
  const delimiter = meta.delimiter
  if (!head) return { heads: [], rows: [], delimiter, faults: [{ key: 'noHead' }], notes: [] }
  const { heads, notes } = headsOf(head)
  const faults: TableFault[] = []
  if (rows.length === 0) faults.push({ key: 'noRows' })
  if (rows.length > ROWS_AT_MOST) faults.push({ key: 'tooManyRows', values: { rows: rows.length, most: ROWS_AT_MOST } })
  // The lines that were left out are not counted here: a quote's row is looked for where its cell stands.
  for (const { type, code, row } of errors) {
    if (type !== 'Quotes' || row === undefined) continue
    faults.push({ key: code === 'MissingQuotes' ? 'openQuote' : 'strayQuote', row: Math.min(row, rows.length) })
  }
  for (const [index, row] of rows.entries())
    if (row.length > heads.length && row.slice(heads.length).some((cell) => cell !== ''))
      faults.push({ key: 'tooManyCells', row: index + 1, values: { cells: row.length, heads: heads.length } })
  return { heads, rows: rows.map((row) => row.map(readCell)), delimiter, faults: once(faults), notes }
}

function headsOf(head: string[]): { heads: string[]; notes: TableFault[] } {
  const notes: TableFault[] = []
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

/** A parser may stumble over one quote many times. */
function once(faults: TableFault[]): TableFault[] {
  const seen = new Set<string>()
  return faults.filter(({ key, row }) => {
    const name = `${key} ${row}`
    return !seen.has(name) && seen.add(name)
  })
}
