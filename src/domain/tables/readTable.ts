import { isXlsx, openWorkbook } from '../spreadsheet/xlsxReader.ts'
import { decodeText, type TextEncoding } from '../text/decodeText.ts'
import { readDelimitedTable } from './delimitedTable.ts'
import { isJsonText, readJsonTable } from './jsonTable.ts'
import { type Table, type TableRow, toTable } from './table.ts'

/** The content of a table file, before its rows are interpreted. */
export interface TableContent {
  /** The rows of a workbook, or the text. */
  content: string | TableRow[]
  encoding: TextEncoding | null
  workbook: { sheets: string[]; sheet: string; formulas: { count: number; withoutResult: number } } | null
}

/** Opens CSV, JSON or a workbook, detected by its first bytes. @throws UnreadableFileError */
export async function openTable(
  bytes: Uint8Array,
  options: { encoding?: TextEncoding | null; sheet?: string | null; maxRows: number },
): Promise<TableContent> {
  if (!isXlsx(bytes)) {
    const { text, encoding } = await decodeText(bytes, options)
    return { content: text, encoding, workbook: null }
  }
  const { sheets, read } = openWorkbook(bytes, options)
  const { rows, ...workbook } = read(options.sheet ?? undefined)
  return { content: rows, encoding: null, workbook: { sheets, ...workbook } }
}

export const readTable = (content: TableContent['content']): Table =>
  typeof content !== 'string'
    ? toTable(content, 'xlsx')
    : isJsonText(content)
      ? readJsonTable(content)
      : readDelimitedTable(content)
