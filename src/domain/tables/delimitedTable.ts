import papaparse from 'papaparse'
import { parseCsvCell } from '../csv.ts'
import { countLineEnds, type Table, type TableProblem, type TableRow, toTable } from './table.ts'

const DELIMITERS = [',', '\t', ';', '|']
/** Occurs in no text: the table has one column. */
const NO_DELIMITER = papaparse.UNIT_SEP
/** Excel and LibreOffice write the delimiter on a separate line. */
const DELIMITER_LINE = /^\uFEFF?"?sep=(.)"?(?:\r\n?|\n|$)/i

const QUOTE_PROBLEMS = {
  MissingQuotes: { kind: 'open_quote', message: 'A quote is not closed: the rest of the file is in its cell.' },
  InvalidQuotes: {
    kind: 'stray_quote',
    message: 'Text follows a closing quote. A quote inside a cell must be doubled.',
  },
} as const

/**
 * Reads CSV with any usual delimiter. The cells of a row with a quoting error are returned, but they are not
 * reliable.
 */
export function readDelimitedTable(text: string): Table {
  const [delimiterLine = '', named] = DELIMITER_LINE.exec(text) ?? []
  const content = text.slice(delimiterLine.length).replace(/^\uFEFF/, '')
  const delimiter = named ?? findDelimiter(content)
  const rows: TableRow[] = []
  const problems: TableProblem[] = []
  let number = delimiterLine === '' ? 0 : 1
  let line = number + 1
  let start = 0
  papaparse.parse<string[]>(content, {
    delimiter,
    step: ({ data, errors, meta }) => {
      number++
      if (data.some((cell) => cell.trim() !== '')) rows.push({ number, line, cells: data.map(parseCsvCell) })
      // The parser may report one quote several times.
      const quote = errors.find(({ type }) => type === 'Quotes')
      if (quote)
        problems.push({
          ...QUOTE_PROBLEMS[quote.code as keyof typeof QUOTE_PROBLEMS],
          line,
          row: Math.max(1, rows.length - 1),
        })
      line += countLineEnds(content.slice(start, meta.cursor))
      start = meta.cursor
    },
  })
  const table = toTable(rows, delimiter)
  return { ...table, problems: [...problems, ...table.problems] }
}

const MAX_HEAD_CHARS = 20_000
const GUESS_ROWS = 10

/**
 * The delimiter of the header: delimiters only in cells are text. If the header has several, rows of equal length
 * decide.
 */
function findDelimiter(text: string): string {
  const withoutQuoted = text.slice(0, MAX_HEAD_CHARS).replace(/"(?:[^"]|"")*"/g, '""')
  const [head = ''] = withoutQuoted.trimStart().split(/[\r\n]/, 1)
  const found = DELIMITERS.filter((delimiter) => head.includes(delimiter))
  if (found.length < 2) return found[0] ?? NO_DELIMITER
  const options = { preview: GUESS_ROWS, skipEmptyLines: 'greedy', delimitersToGuess: found } as const
  const { delimiter } = papaparse.parse(text, options).meta
  return found.includes(delimiter) ? delimiter : (found[0] ?? NO_DELIMITER)
}
