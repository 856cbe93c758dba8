import type { ReadingLosses } from '../documentReading/readingLoss.ts'
import { UnreadableFileError } from '../documentReading/unreadableFile.ts'
import { openWorkbook } from '../spreadsheet/xlsxReader.ts'
import { XLSX_LIMITS } from '../spreadsheet/xlsxWriter.ts'
import { readDelimitedTable } from './delimitedTable.ts'
import { type Table, type TableRow, toTable } from './table.ts'
import { SHEET_SEPARATOR } from './tableText.ts'

/** A table as the text of a document. @throws UnreadableFileError if its rows are not certain */
export function readTableText(text: string, losses: ReadingLosses): string {
  addTableLosses(readDelimitedTable(text), losses)
  return text
}

/** The visible sheets of a workbook, each as CSV with the row numbers preserved. @throws UnreadableFileError */
export function readWorkbookText(bytes: Uint8Array, losses: ReadingLosses): string {
  const { sheets, hiddenSheets, read } = openWorkbook(bytes, { maxRows: Infinity })
  losses.add('hidden_sheet', undefined, hiddenSheets)
  const texts = sheets.map((name) => {
    const { rows, formulas } = read(name)
    losses.add('formula_without_result', undefined, formulas.withoutResult)
    if (rows.length > 0) addTableLosses(toTable(rows, 'xlsx'), losses)
    return toDelimitedText(rows)
  })
  return texts.filter(Boolean).join(SHEET_SEPARATOR)
}

function addTableLosses({ problems, rows, head }: Table, losses: ReadingLosses): void {
  for (const { kind, line, row = 0, message } of problems) {
    if (kind === 'open_quote' || kind === 'stray_quote')
      throw new UnreadableFileError('faulty', `Row ${row} of the table, in line ${line}: ${message}`)
    const number = rows[row - 1]?.number ?? head?.number ?? line
    if (kind === 'extra_cells') losses.add('unnamed_cell', { unit: 'row', number })
    if (kind === 'head_alone') losses.add('head_without_rows')
  }
}

/** Each row is on the line of its number. Every cell is quoted, so that the header shows no other delimiter. */
function toDelimitedText(rows: readonly TableRow[]): string {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  let text = ''
  let line = 1
  for (const [index, { number, cells }] of rows.entries()) {
    const blankLines = Math.max(index === 0 ? 0 : 1, Math.min(number, XLSX_LIMITS.rows) - line)
    const filled = index === 0 ? [...cells, ...Array<string>(width - cells.length).fill('')] : cells
    text += `${'\n'.repeat(blankLines)}${filled.map(toQuotedCell).join(',')}`
    line += blankLines
  }
  return text
}

const toQuotedCell = (cell: string): string => `"${cell.replaceAll(SHEET_SEPARATOR, ' ').replaceAll('"', '""')}"`
