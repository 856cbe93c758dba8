import { foldGlyphCharacters } from '../chunking/foldCompatibility.ts'
import { toMarkdownTable } from '../chunking/markdownTable.ts'

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
/** A line of a page; `cells` are its parts with wide gaps between them, `y` its height on the page. */
export interface PdfLine {
  text: string
  height: number
  y: number
  cells: PdfCell[]
}

/** A gap of this many letter heights separates two columns; blanks of justified text are narrower. */
const CELL_GAP_HEIGHTS = 0.7
const HEADING_HEIGHT_RATIO = 1.18
const MAX_HEADING_CHARS = 120
const MAX_HEADING_LEVEL = 4
/** More lines of one size are text in larger letters. */
const MAX_HEADING_LINES = 2
/** Two columns of three rows, or three of two: fewer are lines with a tab. */
const MIN_ROWS_OF_TWO_COLUMNS = 3
const MIN_ROWS = 2

/** The lines of a page in the order of the file: columns of a page stay separate. */
export function toPdfLines(items: readonly PdfTextItem[]): PdfLine[] {
  const lines: PdfTextItem[][] = [[]]
  for (const item of items) {
    lines.at(-1)?.push(item)
    if (item.hasEOL) lines.push([])
  }
  return lines.filter(({ length }) => length > 0).map(toLine)
}

/**
 * The text of a PDF in Markdown: lines in larger letters are headings, lines with parts in the same columns are a
 * table. A blank line separates pages, unless a sentence continues. Page numbers are omitted, and so are running
 * heads after the first.
 */
export function pdfToText(pages: readonly (readonly PdfLine[])[]): string {
  const bodies = removeRunningLines(pages)
  const bodyHeight = findBodyHeight(bodies)
  const levels = findHeadingLevels(bodies, bodyHeight)
  const blocks = bodies.flatMap((lines) =>
    toBlocks(lines, levels).map((block, at) => ({ ...block, isFirst: at === 0 })),
  )
  return foldGlyphCharacters(joinBlocks(blocks).trim()).replace(/\n{3,}/g, '\n\n')
}

function toLine(items: readonly PdfTextItem[]): PdfLine {
  const cells: PdfCell[] = []
  let height = 0
  const isSpaced = items.some(({ str }) => /^\S(?: \S){3,}$/.test(str))
  const texts = items.map(({ str }) => (isSpaced && /^\S(?: \S)+$/.test(str) ? str.replaceAll(' ', '') : str))
  for (const [index, item] of items.entries()) {
    const text = texts[index] ?? ''
    const last = cells.at(-1)
    if (text.trim() === '') {
      if (last) last.text += text
      continue
    }
    height = Math.max(height, item.height)
    const start = item.transform[4] ?? 0
    const isApart = !last || start - last.end > item.height * CELL_GAP_HEIGHTS
    if (isApart) cells.push({ text, start, end: start + item.width })
    else {
      last.text += text
      last.end = start + item.width
    }
  }
  return {
    text: texts.join(''),
    height: Math.round(height * 2) / 2,
    y: items.find(({ str }) => str.trim() !== '')?.transform[5] ?? 0,
    cells: cells.map((cell) => ({ ...cell, text: cell.text.trim() })),
  }
}

/** Lines at the top and bottom of a page that may be running heads. */
const MAX_RUNNING_LINES = 2
/** "3", "- 3 -", "Page 3 of 10", "第 3 页". */
const PAGE_NUMBER = /^\P{L}{0,9}(?:\p{L}{1,8}\P{L}{0,9})?\d{1,5}\P{L}{0,9}(?:\p{L}{1,4}\P{L}{0,9})?$/u

/** The pages without their page numbers, and without repeated lines at the same place in the margin. */
function removeRunningLines(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const margins = pages.flatMap((lines, page) => {
    const sorted = lines.filter(({ text }) => text.trim() !== '').sort((one, other) => other.y - one.y)
    const outer = new Set([...sorted.slice(0, MAX_RUNNING_LINES), ...sorted.slice(-MAX_RUNNING_LINES)])
    return [...outer].flatMap((line) => toRunningKeys(line, page).map((key, at) => ({ line, key, isCounted: at > 0 })))
  })
  const removed = new Set<PdfLine>()
  for (const similar of Map.groupBy(margins, ({ key }) => key).values())
    for (const [at, { line, isCounted }] of similar.entries())
      if (at > 0 || (similar.length > 1 && isCounted && PAGE_NUMBER.test(line.text.trim()))) removed.add(line)
  return pages.map((lines) => lines.filter((line) => !removed.has(line)))
}

/** Equal for lines of two pages with the same text, except for the page number at the beginning or end. */
function toRunningKeys({ text, y }: PdfLine, page: number): string[] {
  const words = text.trim().slice(0, MAX_HEADING_CHARS)
  const toOffset = (digits: string) => `#${Number(digits) - page}`
  const keys = [words, words.replace(/\d+/, toOffset), words.replace(/\d+(?=\D*$)/, toOffset)]
  return [...new Set(keys)].map((key) => `${Math.round(y)} ${key}`)
}

/** A heading or a table, which stands alone, or a line of text. */
interface PdfBlock {
  text: string
  line: PdfLine | null
  /** Of its page. */
  isFirst?: boolean
}

/** A line that ends this many letter heights before the right edge of its column ends its paragraph. */
const SHORT_LINE_HEIGHTS = 2
/** Minimum points between two columns. */
const COLUMN_POINTS = 40
const CJK_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60]$/u
const CJK_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303F\uFF01-\uFF60]/u
const HYPHEN_END = /([\p{L}\p{N}]+)[-\u2010\u00AD]$/u
/** Two words with a common ending: "Ein- und Ausgabe", "pre- or postpaid". */
const HYPHEN_CONJUNCTION = /^(?:und|oder|bzw|and|or|to|et|ou|y|o|e)(?!\p{L})/u
const SENTENCE_END = /[.!?:;…。！？：；]["'”’」』)\]]*$/u

/** Joins lines; words split by a hyphen, and lines of scripts without blanks, are joined directly. */
function joinBlocks(blocks: readonly PdfBlock[]): string {
  const rightEdges = new Map<number, number>()
  for (const { line } of blocks) {
    const column = toColumn(line)
    rightEdges.set(column, Math.max(rightEdges.get(column) ?? 0, getEnd(line)))
  }
  const hyphenated = new Set(blocks.flatMap(({ text }) => text.match(/[\p{L}\p{N}]+[-\u2010][\p{L}\p{N}]+/gu) ?? []))
  const parts: string[] = []
  let before: PdfBlock | null = null
  for (const { text, ...block } of blocks) {
    const end = parts.at(-1) ?? ''
    const edge = rightEdges.get(toColumn(before?.line)) ?? 0
    const isFull = before?.line && getEnd(before.line) + SHORT_LINE_HEIGHTS * before.line.height >= edge
    const isUnspaced = isFull && CJK_END.test(end) && CJK_START.test(text)
    const isParted = HYPHEN_END.test(end) && /^[\p{L}\p{N}]/u.test(text) && !HYPHEN_CONJUNCTION.test(text)
    const continues = isParted || (!SENTENCE_END.test(end) && (isUnspaced || /^\p{Ll}/u.test(text)))
    if (!before) parts.push(text)
    else if (!before.line || !block.line || (block.isFirst && !continues)) parts.push('\n\n', text)
    else if (isParted) {
      const word = `${end.match(/[\p{L}\p{N}]+[-\u2010\u00AD]$/u)?.[0] ?? ''}${text.match(/^[\p{L}\p{N}]+/u)?.[0] ?? ''}`
      const keepsHyphen = !/^\p{L}.\p{Ll}/u.test(word.slice(word.search(/[-\u2010\u00AD]/) - 1)) || hyphenated.has(word)
      if (!keepsHyphen) parts[parts.length - 1] = end.slice(0, -1)
      parts.push(text)
    } else parts.push(isUnspaced ? '' : '\n', text)
    before = { text, ...block }
  }
  return parts.join('')
}

const toColumn = (line?: PdfLine | null): number => Math.floor((line?.cells[0]?.start ?? 0) / COLUMN_POINTS)
const getEnd = (line: PdfLine | null): number => line?.cells.at(-1)?.end ?? 0

/** The height of most letters. */
function findBodyHeight(pages: readonly (readonly PdfLine[])[]): number {
  const counts = new Map<number, number>()
  for (const { text, height } of pages.flat())
    if (height > 0) counts.set(height, (counts.get(height) ?? 0) + text.trim().length)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 0
}

/** The level of each height of headings: the largest is the first. */
function findHeadingLevels(pages: readonly (readonly PdfLine[])[], bodyHeight: number): Map<number, number> {
  const isHeading = ({ height, text }: PdfLine) => height >= bodyHeight * HEADING_HEIGHT_RATIO && isHeadingText(text)
  const heights = new Set(
    pages
      .flat()
      .filter(isHeading)
      .map(({ height }) => height),
  )
  const sorted = [...heights].sort((one, other) => other - one)
  return new Map(sorted.map((height, index) => [height, Math.min(index + 1, MAX_HEADING_LEVEL)]))
}

const isHeadingText = (text: string): boolean =>
  /\p{L}/u.test(text) && text.trim().length <= MAX_HEADING_CHARS && !/^#{1,6} /.test(text.trim())

function toBlocks(lines: readonly PdfLine[], levels: ReadonlyMap<number, number>): PdfBlock[] {
  const blocks: PdfBlock[] = []
  for (let index = 0; index < lines.length;) {
    const table = takeTable(lines, index)
    const heading = table.length > 0 ? [] : takeHeading(lines, index, levels)
    const level = levels.get(heading[0]?.height ?? 0) ?? 1
    if (table.length > 0)
      blocks.push({ text: toMarkdownTable(table.map(({ cells }) => cells.map(({ text }) => text))), line: null })
    else if (heading.length > 0 && heading.length <= MAX_HEADING_LINES)
      blocks.push({ text: `${'#'.repeat(level)} ${heading.map(({ text }) => text.trim()).join(' ')}`, line: null })
    else {
      const plain = heading.length > 0 ? heading : lines.slice(index, index + 1)
      blocks.push(...plain.map((line) => ({ text: line.text.trim(), line })))
    }
    index += table.length || heading.length || 1
  }
  return blocks
}

/** The following lines that form one heading. */
function takeHeading(lines: readonly PdfLine[], from: number, levels: ReadonlyMap<number, number>): PdfLine[] {
  const height = lines[from]?.height ?? 0
  let end = from
  while (levels.has(height) && lines[end]?.height === height && isHeadingText(lines[end]?.text ?? '')) end++
  return lines.slice(from, end)
}

/** The following lines that are rows of one table. */
function takeTable(lines: readonly PdfLine[], from: number): PdfLine[] {
  let columns = lines[from]?.cells ?? []
  if (columns.length < 2) return []
  let end = from + 1
  for (let line = lines[end]; line && isRowOf(columns, line); line = lines[++end])
    columns = columns.map((column, index) => {
      const { start, end: right } = line?.cells[index] ?? column
      return { ...column, start: Math.min(column.start, start), end: Math.max(column.end, right) }
    })
  return end - from >= (columns.length === 2 ? MIN_ROWS_OF_TWO_COLUMNS : MIN_ROWS) ? lines.slice(from, end) : []
}

/** Each part overlaps only its column: columns may be flush left, flush right, or centred. */
const isRowOf = (columns: readonly PdfCell[], line: PdfLine): boolean =>
  line.cells.length === columns.length &&
  line.cells.every((cell, index) =>
    columns.every((column, at) => (cell.start < column.end && column.start < cell.end) === (at === index)),
  )
