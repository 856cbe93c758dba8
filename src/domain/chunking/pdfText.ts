import { foldGlyphCharacters } from './foldCompatibility.ts'
import { toMarkdownTable } from './markdownTable.ts'

/** A piece of text of a page, as pdf.js gives it. */
export interface PdfTextItem {
  str: string
  hasEOL: boolean
  /** The matrix that places it: its last two numbers are x and y. */
  transform: readonly number[]
  width: number
  height: number
}
interface PdfCell {
  text: string
  start: number
  end: number
}
/** A line of a page; `cells` are its parts with wide gaps between them. */
export interface PdfLine {
  text: string
  height: number
  cells: PdfCell[]
}

/** A gap of so many heights of the letters separates two columns; blanks of justified text are narrower. */
const CELL_GAP_HEIGHTS = 0.7
const HEADING_HEIGHT_RATIO = 1.18
const MAX_HEADING_CHARS = 120
const MAX_HEADING_LEVEL = 4
/** More lines of one size are text in larger letters. */
const MAX_HEADING_LINES = 2
/** Two columns of three rows, or three of two: fewer are lines with a tabulator. */
const MIN_ROWS_OF_TWO_COLUMNS = 3
const MIN_ROWS = 2

/** The lines of a page in the order in which the file has them: columns of a page stay apart. */
export function toPdfLines(items: readonly PdfTextItem[]): PdfLine[] {
  const lines: PdfLine[] = []
  let open: PdfTextItem[] = []
  for (const item of items) {
    open.push(item)
    if (!item.hasEOL) continue
    lines.push(toLine(open))
    open = []
  }
  if (open.length > 0) lines.push(toLine(open))
  return lines
}

/**
 * The text of a PDF in Markdown, as well as it can be told: lines in larger letters are headings, lines whose parts stand
 * in the same columns are a table. A blank line stands between pages.
 */
export function pdfToText(pages: readonly (readonly PdfLine[])[]): string {
  const bodyHeight = findBodyHeight(pages)
  const levels = findHeadingLevels(pages, bodyHeight)
  return foldGlyphCharacters(pages.map((lines) => renderPage(lines, levels).trim()).join('\n\n'))
}

function toLine(items: readonly PdfTextItem[]): PdfLine {
  const cells: PdfCell[] = []
  let height = 0
  for (const item of items) {
    if (item.str.trim() === '') {
      const last = cells.at(-1)
      if (last) last.text += item.str
      continue
    }
    height = Math.max(height, item.height)
    const start = item.transform[4] ?? 0
    const last = cells.at(-1)
    const isApart = !last || start - last.end > item.height * CELL_GAP_HEIGHTS
    if (isApart) cells.push({ text: item.str, start, end: start + item.width })
    else {
      last.text += item.str
      last.end = start + item.width
    }
  }
  return {
    text: items.map(({ str }) => str).join(''),
    height: Math.round(height * 2) / 2,
    cells: cells.map((cell) => ({ ...cell, text: cell.text.trim() })),
  }
}

/** The height of most letters. */
function findBodyHeight(pages: readonly (readonly PdfLine[])[]): number {
  const counts = new Map<number, number>()
  for (const { text, height } of pages.flat()) counts.set(height, (counts.get(height) ?? 0) + text.trim().length)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 0
}

/** The level of each height of headings: the largest is the first. */
function findHeadingLevels(pages: readonly (readonly PdfLine[])[], bodyHeight: number): Map<number, number> {
  const heights = new Set<number>()
  for (const line of pages.flat())
    if (line.height >= bodyHeight * HEADING_HEIGHT_RATIO && isHeadingText(line.text)) heights.add(line.height)
  const sorted = [...heights].sort((one, other) => other - one)
  return new Map(sorted.map((height, index) => [height, Math.min(index + 1, MAX_HEADING_LEVEL)]))
}

const isHeadingText = (text: string): boolean =>
  /\p{L}/u.test(text) && text.trim().length <= MAX_HEADING_CHARS && !/^#{1,6} /.test(text.trim())

function renderPage(lines: readonly PdfLine[], levels: ReadonlyMap<number, number>): string {
  const parts: string[] = []
  for (let index = 0; index < lines.length;) {
    const line = lines[index]
    if (!line) break
    const rows = countTableRows(lines, index)
    if (rows > 0) {
      parts.push(`\n${renderTable(lines.slice(index, index + rows))}\n`)
      index += rows
      continue
    }
    const level = levels.get(line.height)
    if (level === undefined || !isHeadingText(line.text)) {
      parts.push(line.text)
      index++
      continue
    }
    let end = index + 1
    // A heading of two lines is one heading.
    while (lines[end]?.height === line.height && isHeadingText(lines[end]?.text ?? '')) end++
    const words = lines.slice(index, end).map(({ text }) => text.trim())
    if (words.length > MAX_HEADING_LINES) parts.push(...words)
    else parts.push(`\n${'#'.repeat(level)} ${words.join(' ')}\n`)
    index = end
  }
  return parts.join('\n').replace(/\n{3,}/g, '\n\n')
}

/** How many lines from there on are the rows of one table; 0 for none. */
function countTableRows(lines: readonly PdfLine[], from: number): number {
  const columnCount = lines[from]?.cells.length ?? 0
  if (columnCount < 2) return 0
  let columns = lines[from]?.cells ?? []
  let end = from + 1
  for (let line = lines[end]; line && isRowOf(columns, line); line = lines[++end])
    columns = columns.map((column, index) => joinCells(column, line.cells[index] ?? column))
  const rows = end - from
  return rows >= (columnCount === 2 ? MIN_ROWS_OF_TWO_COLUMNS : MIN_ROWS) ? rows : 0
}

/** Each part stands over or under its column, and touches no other: columns may be flush left, flush right, or centred. */
const isRowOf = (columns: readonly PdfCell[], line: PdfLine): boolean =>
  line.cells.length === columns.length &&
  line.cells.every((cell, index) =>
    columns.every((column, at) => (cell.start < column.end && column.start < cell.end) === (at === index)),
  )

const joinCells = (one: PdfCell, other: PdfCell): PdfCell => ({
  text: one.text,
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})

const renderTable = (rows: readonly PdfLine[]): string =>
  toMarkdownTable(rows.map(({ cells }) => cells.map(({ text }) => text)))
