import { SaxesParser } from 'saxes'
import { listRelationships, unpackOfficeFiles, writeXml } from '../documentReading/officePackage.ts'
import { UnreadableFileError } from '../documentReading/unreadableFile.ts'
import type { TableRow } from '../tables/table.ts'

/** The most that is read of a file: its size before and after decompression, and its cells. A larger one is refused. */
export const XLSX_READ_LIMITS = {
  fileBytes: 50 * 1024 * 1024,
  unpackedBytes: 300 * 1024 * 1024,
  columns: 2_000,
  /** With the empty ones before the last of each row. */
  cells: 5_000_000,
  cellChars: 400_000,
  /** Of all cells: many can refer to one text. */
  chars: 200_000_000,
}
export type XlsxReadLimits = typeof XLSX_READ_LIMITS

/** The sheets that are visible, and how many are not. */
export interface Workbook {
  sheets: string[]
  hiddenSheets: number
  /** Reads a sheet, the first one unless it is named. @throws UnreadableFileError */
  read: (sheet?: string) => XlsxSheet
}
export interface XlsxSheet {
  sheet: string
  /** Rows with at least one value, as texts. Dates are ISO 8601. */
  rows: TableRow[]
  /** Formulas are never evaluated: a cell has the result that was saved with it. Those without one are empty. */
  formulas: { count: number; withoutResult: number }
}

export const isXlsx = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3

/**
 * Opens a workbook, of which at most `maxRows` + 1 rows of a sheet are read.
 * @throws UnreadableFileError
 */
export function openWorkbook(
  bytes: Uint8Array,
  { maxRows, limits = XLSX_READ_LIMITS }: { maxRows: number; limits?: XlsxReadLimits },
): Workbook {
  if (bytes.length > limits.fileBytes)
    throw new UnreadableFileError('tooLarge', `The file is larger than ${limits.fileBytes / 1024 / 1024} MB.`)
  const { files, workbookPath, relationships } = openPackage(bytes, limits)
  const getFile = (path: string | undefined) => files.get(path?.toLowerCase() ?? '')
  const { sheets, hiddenSheets, is1904 } = readWorkbook(getFile(workbookPath))
  const getPart = (part: string) => getFile(relationships.find(({ type }) => type === part)?.target)
  const texts = readSharedStrings(getPart('sharedStrings'), limits)
  const dateStyles = readDateStyles(getPart('styles'))
  return {
    sheets: sheets.map(({ name }) => name),
    hiddenSheets,
    read: (name) => {
      const chosen = sheets.find((one) => one.name === name) ?? sheets[0]
      if (!chosen) throw new UnreadableFileError('faulty', 'The workbook has no visible sheet.')
      const sheetFile = getFile(relationships.find(({ id }) => id === chosen.relationship)?.target)
      if (!sheetFile) throw new UnreadableFileError('faulty', `The sheet “${chosen.name}” is missing in the file.`)
      return { sheet: chosen.name, ...readSheet(sheetFile, { texts, dateStyles, is1904, maxRows, limits }) }
    },
  }
}

function openPackage(bytes: Uint8Array, { unpackedBytes }: XlsxReadLimits) {
  try {
    const files = unpackOfficeFiles(bytes, unpackedBytes)
    const main = listRelationships(files, '').find(({ type }) => type === 'officeDocument')
    const workbookPath = main?.target ?? 'xl/workbook.xml'
    return { files, workbookPath, relationships: listRelationships(files, workbookPath) }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('faulty', `The file is damaged, or no XLSX workbook: ${String(error)}`)
  }
}

interface XmlHandlers {
  open?: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  /** Returns true when nothing more has to be read. */
  close?: (name: string) => boolean | undefined
}

/** Elements without their prefixes. A document type is refused: no workbook has one, and its entities are a trap. */
function parseXml(data: Uint8Array, handlers: XmlHandlers): void {
  const parser = new SaxesParser()
  let isDone = false
  const fail = (reason: string) => {
    throw new UnreadableFileError('faulty', `The file is damaged: ${reason}`)
  }
  parser.on('error', (error) => fail(error.message))
  parser.on('doctype', () => fail('it declares a document type.'))
  parser.on('opentag', ({ name, attributes }) => {
    if (!isDone) handlers.open?.(toLocalName(name), attributes)
  })
  if (handlers.text)
    parser.on('text', (text) => {
      if (!isDone) handlers.text?.(text)
    })
  parser.on('closetag', ({ name }) => {
    if (!isDone && handlers.close?.(toLocalName(name))) isDone = true
  })
  writeXml(parser, data, () => isDone)
}

const toLocalName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The attribute without its prefix, which files choose differently. */
const getAttribute = (attributes: Record<string, string>, local: string): string | undefined =>
  attributes[local] ?? Object.entries(attributes).find(([name]) => name.endsWith(`:${local}`))?.[1]

function readWorkbook(data: Uint8Array | undefined) {
  if (!data) throw new UnreadableFileError('unsupported', 'The file is no XLSX workbook.')
  const sheets: { name: string; relationship: string }[] = []
  let is1904 = false
  let hiddenSheets = 0
  parseXml(data, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      if ((attributes['state'] ?? 'visible') !== 'visible') hiddenSheets++
      else sheets.push({ name: attributes['name'] ?? '', relationship: getAttribute(attributes, 'id') ?? '' })
    },
  })
  return { sheets, hiddenSheets, is1904 }
}

/** The texts that cells refer to by number; readings beside them (`rPh`) are left out. */
function readSharedStrings(data: Uint8Array | undefined, limits: XlsxReadLimits): string[] {
  const texts: string[] = []
  if (!data) return texts
  let text = ''
  let isText = false
  let isReading = false
  parseXml(data, {
    open: (name) => {
      if (name === 'si') text = ''
      else if (name === 'rPh') isReading = true
      else if (name === 't') isText = !isReading
    },
    text: (part) => {
      if (isText) text = addText(text, part, limits)
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
      else if (name === 'si') texts.push(unescapeText(text))
      return false
    },
  })
  return texts
}

function addText(text: string, part: string, { cellChars }: XlsxReadLimits): string {
  if (text.length + part.length > cellChars) throw tooLarge(`A cell has more than ${cellChars} characters.`)
  return text + part
}

/** `_xHHHH_` is a character that XML cannot hold. */
const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Numbers of the built-in date and time formats. */
const isBuiltInDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether the cells of each style are dates or times. */
function readDateStyles(data: Uint8Array | undefined): boolean[] {
  const styles: boolean[] = []
  if (!data) return styles
  const custom = new Map<number, boolean>()
  let isCellFormats = false
  parseXml(data, {
    open: (name, attributes) => {
      if (name === 'numFmt') {
        // Texts in quotes, colours and escaped characters are no part of the format.
        const code = (attributes['formatCode'] ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
        custom.set(Number(attributes['numFmtId']), /[dmyhs]/i.test(code) && !/general/i.test(code))
      }
      if (name === 'cellXfs') isCellFormats = true
      if (name !== 'xf' || !isCellFormats) return
      const id = Number(attributes['numFmtId'] ?? 0)
      styles.push(custom.get(id) ?? isBuiltInDateFormat(id))
    },
    close: (name) => {
      if (name === 'cellXfs') isCellFormats = false
      return false
    },
  })
  return styles
}

interface SheetContext {
  texts: readonly string[]
  dateStyles: readonly boolean[]
  is1904: boolean
  maxRows: number
  limits: XlsxReadLimits
}

interface OpenCell {
  column: number
  type: string
  style: number
  value: string
  inline: string
  hasFormula: boolean
}

const tooLarge = (message: string) => new UnreadableFileError('tooLarge', message)

function readSheet(data: Uint8Array, context: SheetContext) {
  const { maxRows, limits } = context
  const rows: TableRow[] = []
  const formulas = { count: 0, withoutResult: 0 }
  let row: string[] = []
  let number = 0
  let column = 0
  let cells = 0
  let chars = 0
  let cell: OpenCell | null = null
  let inElement = ''
  const endCell = (ended: OpenCell) => {
    if (ended.hasFormula) formulas.count++
    if (ended.hasFormula && ended.value === '' && ended.inline === '') formulas.withoutResult++
    const text = toCellText(ended, context)
    if (text === '') return
    if (ended.column >= limits.columns) throw tooLarge(`The sheet has more than ${limits.columns} columns.`)
    chars += text.length
    if (chars > limits.chars) throw tooLarge(`The sheet has more than ${limits.chars} characters.`)
    row[ended.column] = text
  }
  parseXml(data, {
    open: (name, attributes) => {
      inElement = name
      if (name === 'row') {
        row = []
        number = Number(attributes['r']) || number + 1
        column = 0
      } else if (name === 'c') {
        column = toColumn(attributes['r']) ?? column
        const style = Number(attributes['s'] ?? 0)
        cell = { column: column++, type: attributes['t'] ?? 'n', style, value: '', inline: '', hasFormula: false }
      } else if (name === 'f' && cell) cell.hasFormula = true
      else if (name === 'rPh') inElement = 'rPh'
    },
    text: (part) => {
      if (cell && inElement === 'v') cell.value = addText(cell.value, part, limits)
      else if (cell && inElement === 't') cell.inline = addText(cell.inline, part, limits)
    },
    close: (name) => {
      inElement = ''
      if (name === 'c' && cell) {
        endCell(cell)
        cell = null
      }
      if (name === 'row' && row.length > 0) {
        cells += row.length
        if (cells > limits.cells) throw tooLarge(`The sheet has more than ${limits.cells} cells.`)
        rows.push({ number, line: number, cells: Array.from(row, (text) => text ?? '') })
      }
      return name === 'sheetData' || rows.length > maxRows + 1
    },
  })
  return { rows, formulas }
}

/** 0-based column of a reference such as `AB12`. */
function toColumn(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  return letters ? [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null
}

function toCellText({ type, style, value, inline }: OpenCell, { texts, dateStyles, is1904 }: SheetContext): string {
  if (type === 'inlineStr') return unescapeText(inline)
  if (value === '') return ''
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'str') return unescapeText(value)
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'e' || type === 'd') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (dateStyles[style]) return toDateText(number, is1904)
  // Programs show 15 digits: more are noise behind a decimal point, and as written in an integer.
  return /^-?\d+$/.test(value) ? value : String(Number(number.toPrecision(15)))
}

const DAY_MS = 86_400_000
/** Days from the first day of each date system to 1970-01-01. */
const EPOCH_DAYS = { 1900: 25_569, 1904: 24_107 }

/** A date, a time or both, from a number of days; whole seconds. */
function toDateText(days: number, is1904: boolean): string {
  // The 1900 system counts a 29 February 1900 that never was.
  const leapShift = !is1904 && days >= 1 && days < 60 ? 1 : 0
  const date = new Date(Math.round((days + leapShift - EPOCH_DAYS[is1904 ? 1904 : 1900]) * (DAY_MS / 1000)) * 1000)
  if (Number.isNaN(date.getTime())) return String(days)
  const iso = date.toISOString()
  const time = iso.slice(11, 19)
  if (days >= 0 && days < 1) return time
  return time === '00:00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
