export interface TableRow {
  /** Row number in the file, as a spreadsheet counts: from 1, including the header and blank rows. */
  number: number
  /** The line on which it begins; in a workbook, its row number. */
  line: number
  cells: string[]
}

/** A remark about a table. `row` counts from the first row below the header. */
export interface TableProblem {
  kind:
    | 'empty'
    | 'head_alone'
    | 'open_quote'
    | 'stray_quote'
    | 'extra_cells'
    | 'repeated_head'
    | 'not_object'
    | 'too_many_rows'
  line: number
  row?: number
  message: string
}

/** Whether no part of the table is usable as it is, as opposed to a fault of one row or a changed name. */
export const isBlocking = ({ kind, row }: TableProblem): boolean => row === undefined && kind !== 'repeated_head'

/** A header and rows, without blank rows. */
export interface Table {
  /** Unique: a repeated name gets a number, and an empty one the number of its column. */
  heads: string[]
  /** The header row; null in an empty table, and if each row has its own names. */
  head: TableRow | null
  rows: TableRow[]
  delimiter: string
  problems: TableProblem[]
}

export const EMPTY_TABLE: TableProblem = { kind: 'empty', line: 1, message: 'The table is empty.' }

export const LINE_END = /\r\n|\n|\r/g
export const countLineEnds = (text: string): number => text.match(LINE_END)?.length ?? 0

/** A table from its rows; the first is the header. */
export function toTable([head, ...rows]: TableRow[], delimiter: string): Table {
  if (!head) return { heads: [], head: null, rows: [], delimiter, problems: [EMPTY_TABLE] }
  const { heads, problems } = toUniqueHeads({ ...head, cells: head.cells.slice(0, findWidth(head, rows)) })
  if (rows.length === 0)
    problems.push({ kind: 'head_alone', line: head.line, message: 'There is no row below the header.' })
  for (const [index, { line, cells }] of rows.entries())
    if (cells.slice(heads.length).some((cell) => cell !== '')) {
      const message = `The row has ${cells.length} cells, and the header ${heads.length}. Is a quote missing?`
      problems.push({ kind: 'extra_cells', line, row: index + 1, message })
    }
  return { heads, head, rows, delimiter, problems }
}

/** Programs write delimiters after the last column: columns without a name and without a cell are dropped. */
function findWidth({ cells }: TableRow, rows: TableRow[]): number {
  const isFilled = (index: number) => cells[index]?.trim() || rows.some((row) => row.cells[index])
  let width = cells.length
  while (width > 0 && !isFilled(width - 1)) width--
  return width
}

function toUniqueHeads({ line, cells }: TableRow): { heads: string[]; problems: TableProblem[] } {
  const problems: TableProblem[] = []
  const heads = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim() || `column ${index + 1}`
    let unique = name
    let count = counts.get(name) ?? 1
    while (heads.has(unique)) unique = `${name} (${++count})`
    counts.set(name, count)
    if (unique !== name) {
      const message = `Columns ${heads.get(name)} and ${index + 1} have the same name, “${name}”. The second is named “${unique}” here.`
      problems.push({ kind: 'repeated_head', line, message })
    }
    heads.set(unique, index + 1)
  }
  return { heads: [...heads.keys()], problems }
}
