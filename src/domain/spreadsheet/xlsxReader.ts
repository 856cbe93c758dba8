import { findChild, findNodes, getAttribute, getText, type MarkupNode } from '../documentReading/markupNode.ts'
import { type OfficePart, openOfficePackage } from '../documentReading/officePackage.ts'
import { UnreadableFileError } from '../documentReading/unreadableFile.ts'
import type { TableRow } from '../tables/table.ts'

/** Limits of a readable file: its size before and after decompression, and its cells. Larger ones are refused. */
export const XLSX_READ_LIMITS = {
  fileBytes: 50 * 1024 * 1024,
  unpackedBytes: 300 * 1024 * 1024,
  columns: 2_000,
  /** Includes the empty cells before the last one of each row. */
  cells: 5_000_000,
  cellChars: 400_000,
  /** Of all cells: many can refer to one shared text. */
  chars: 200_000_000,
}
export type XlsxReadLimits = typeof XLSX_READ_LIMITS

/** The visible sheets, and the number of hidden ones. */
export interface Workbook {
  sheets: string[]
  hiddenSheets: number
  /** Reads a sheet, the first one by default. @throws UnreadableFileError */
  read: (sheet?: string) => XlsxSheet
}
export interface XlsxSheet {
  sheet: string
  /** Rows with at least one value, as texts. Dates are ISO 8601. */
  rows: TableRow[]
  /** Formulas are never evaluated: a cell has the result saved with it, and is empty if there is none. */
  formulas: { count: number; withoutResult: number }
}

export const isXlsx = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3

/**
 * Opens a workbook; at most `maxRows` + 1 rows of a sheet are read.
 * @throws UnreadableFileError
 */
export function openWorkbook(
  bytes: Uint8Array,
  { maxRows, limits = XLSX_READ_LIMITS }: { maxRows: number; limits?: XlsxReadLimits },
): Workbook {
  if (bytes.length > limits.fileBytes) throw tooLarge(`The file is larger than ${limits.fileBytes / 1024 / 1024} MB.`)
  const main = openOfficePackage(bytes, 'xl/workbook.xml', limits.unpackedBytes)
  if (!main) throw new UnreadableFileError('unsupported', 'The file is not an XLSX workbook.')
  const { root } = main
  const all = findNodes(root, 'sheet').map((node) => ({
    name: getAttribute(node, 'name') ?? '',
    id: getAttribute(node, 'id'),
    isVisible: (getAttribute(node, 'state') ?? 'visible') === 'visible',
  }))
  const sheets = all.filter(({ isVisible }) => isVisible)
  const strings = main.findPart('type', 'sharedStrings')?.readElements('si') ?? []
  const context = {
    texts: Array.from(strings, (node) => readText(node, limits)),
    dateStyles: readDateStyles(main.findPart('type', 'styles')?.root),
    is1904: /^(1|true)$/.test(getAttribute(findChild(root, 'workbookPr'), 'date1904') ?? ''),
    limits,
  }
  return {
    sheets: sheets.map(({ name }) => name),
    hiddenSheets: all.length - sheets.length,
    read: (name) => {
      const chosen = sheets.find((one) => one.name === name) ?? sheets[0]
      if (!chosen) throw new UnreadableFileError('faulty', 'The workbook has no visible sheet.')
      const part = main.findPart('id', chosen.id)
      if (!part) throw new UnreadableFileError('faulty', `The sheet “${chosen.name}” is missing in the file.`)
      return { sheet: chosen.name, ...readSheet(part, maxRows, context) }
    },
  }
}

const tooLarge = (message: string) => new UnreadableFileError('tooLarge', message)

/**
 * The text of a cell or shared string, without phonetic readings (`rPh`). `_xHHHH_` encodes a character that XML
 * cannot hold.
 */
function readText(node: MarkupNode, { cellChars }: XlsxReadLimits): string {
  const texts = findNodes(node, 't', 'v', 'rPh').filter(({ nodeName }) => nodeName !== 'rPh')
  const text = texts.map(getText).join('')
  if (text.length > cellChars) throw tooLarge(`A cell has more than ${cellChars} characters.`)
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Numbers of the built-in date and time formats. */
const isBuiltInDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether the cells of each style are dates or times. */
function readDateStyles(styles: MarkupNode | undefined): boolean[] {
  const custom = new Map<number, boolean>()
  for (const node of findNodes(findChild(styles, 'numFmts'), 'numFmt')) {
    // Quoted texts, colours and escaped characters are not part of the format.
    const code = (getAttribute(node, 'formatCode') ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    custom.set(Number(getAttribute(node, 'numFmtId')), /[dmyhs]/i.test(code) && !/general/i.test(code))
  }
  return findNodes(findChild(styles, 'cellXfs'), 'xf').map((node) => {
    const id = Number(getAttribute(node, 'numFmtId') ?? 0)
    return custom.get(id) ?? isBuiltInDateFormat(id)
  })
}

interface SheetContext {
  texts: readonly string[]
  dateStyles: readonly boolean[]
  is1904: boolean
  limits: XlsxReadLimits
}

function readSheet(part: OfficePart, maxRows: number, context: SheetContext): Omit<XlsxSheet, 'sheet'> {
  const { limits } = context
  const rows: TableRow[] = []
  const formulas = { count: 0, withoutResult: 0 }
  let row: string[] = []
  let [number, column, cells, chars] = [0, 0, 0, 0]
  for (const node of part.readElements('c', 'row', 'sheetData')) {
    if (node.nodeName === 'sheetData' || rows.length > maxRows + 1) break
    if (node.nodeName === 'c') {
      const text = toCellText(node, context)
      column = toColumn(getAttribute(node, 'r')) ?? column
      if (findChild(node, 'f')) {
        formulas.count++
        if (text === '') formulas.withoutResult++
      }
      if (text !== '') {
        if (column >= limits.columns) throw tooLarge(`The sheet has more than ${limits.columns} columns.`)
        chars += text.length
        if (chars > limits.chars) throw tooLarge(`The sheet has more than ${limits.chars} characters.`)
        row[column] = text
      }
      column++
      continue
    }
    number = Number(getAttribute(node, 'r')) || number + 1
    if (row.length > 0) {
      cells += row.length
      if (cells > limits.cells) throw tooLarge(`The sheet has more than ${limits.cells} cells.`)
      rows.push({ number, line: number, cells: Array.from(row, (text) => text ?? '') })
    }
    row = []
    column = 0
  }
  return { rows, formulas }
}

/** 0-based column of a reference such as `AB12`. */
function toColumn(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  return letters ? [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null
}

function toCellText(cell: MarkupNode, { texts, dateStyles, is1904, limits }: SheetContext): string {
  const value = readText(cell, limits)
  if (value === '') return ''
  switch (getAttribute(cell, 't') ?? 'n') {
    case 'n': {
      const number = Number(value)
      if (!Number.isFinite(number)) return value
      if (dateStyles[Number(getAttribute(cell, 's') ?? 0)]) return toDateText(number, is1904)
      // Programs show 15 digits: further decimals are noise, while integers are kept as written.
      return /^-?\d+$/.test(value) ? value : String(Number(number.toPrecision(15)))
    }
    case 's':
      return texts[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'true' : 'false'
    default:
      return value
  }
}

const DAY_SECONDS = 86_400
/** Days from the first day of each date system to 1970-01-01. */
const EPOCH_DAYS = { 1900: 25_569, 1904: 24_107 }

/** A date, a time or both, from a number of days, rounded to seconds. */
function toDateText(days: number, is1904: boolean): string {
  // The 1900 system counts a 29 February 1900 that did not exist.
  const leapShift = !is1904 && days >= 1 && days < 60 ? 1 : 0
  const date = new Date(Math.round((days + leapShift - EPOCH_DAYS[is1904 ? 1904 : 1900]) * DAY_SECONDS) * 1000)
  if (Number.isNaN(date.getTime())) return String(days)
  const iso = date.toISOString()
  const time = iso.slice(11, 19)
  if (days >= 0 && days < 1) return time
  return time === '00:00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
