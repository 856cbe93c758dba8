import { isXlsx, openWorkbook } from '../spreadsheet/xlsxReader.ts'
import { decodeText, type TextEncoding } from '../text/decodeText.ts'
import { readDelimitedTable } from './delimitedTable.ts'
import { isJsonText, readJsonTable } from './jsonTable.ts'
import { type Table, type TableRow, toTable } from './table.ts'

/** The content of a file of rows, before it is known whose rows they are. */
export interface TableContent {
  /** The rows of a workbook, else the text. */
  content: string | TableRow[]
  /** Null for a workbook. */
  encoding: TextEncoding | null
  /** Null for a text. */
  workbook: { sheets: string[]; sheet: string; formulas: { count: number; withoutResult: number } } | null
}

/** Opens CSV, JSON or a workbook, known by its first bytes. @throws UnreadableFileError */
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
