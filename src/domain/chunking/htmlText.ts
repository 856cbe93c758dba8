import { toMarkdownTable } from './markdownTable.ts'

/** A node of a parsed page, as parse5 makes it. */
export interface HtmlNode {
  nodeName: string
  value?: string
  childNodes?: HtmlNode[]
  attrs?: { name: string; value: string }[]
}

const IGNORED_ELEMENTS = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'textarea',
  'head',
])
const BLOCK_ELEMENTS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'nav',
  'aside',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'dl',
  'table',
  'figure',
  'form',
  'fieldset',
  'address',
  'details',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])
const LINE_ELEMENTS = new Set(['br', 'li', 'tr', 'dt', 'dd', 'caption', 'summary', 'figcaption', 'option'])
const CELL_ELEMENTS = new Set(['td', 'th'])

/**
 * The readable text of an HTML page: headings and tables in Markdown, list items on lines of their own. Executes and
 * fetches nothing.
 */
export function htmlToText(page: HtmlNode): string {
  const parts: string[] = []
  // An explicit stack: pages can be nested deeper than the call stack allows.
  const stack: (HtmlNode | string)[] = [page]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const table = typeof node === 'string' || node.nodeName !== 'table' ? null : readTable(node)
    if (table !== null) parts.push(`\n\n${table}\n\n`)
    else if (typeof node === 'string') parts.push(node)
    else if (node.nodeName === '#text' && node.value !== undefined) parts.push(node.value.replace(/\s+/g, ' '))
    else if (node.childNodes && !IGNORED_ELEMENTS.has(node.nodeName)) {
      const { before, after } = getElementDelimiters(node.nodeName)
      parts.push(before)
      stack.push(after)
      for (const child of [...node.childNodes].reverse()) stack.push(child)
    }
  }
  return normalizeLines(parts.join(''))
}

function getElementDelimiters(name: string): { before: string; after: string } {
  const heading = /^h([1-6])$/.exec(name)
  if (heading) return { before: `\n\n${'#'.repeat(Number(heading[1]))} `, after: '\n\n' }
  if (BLOCK_ELEMENTS.has(name)) return { before: '\n\n', after: '\n\n' }
  if (name === 'li') return { before: '\n- ', after: '\n' }
  if (LINE_ELEMENTS.has(name)) return { before: '\n', after: name === 'br' ? '' : '\n' }
  if (CELL_ELEMENTS.has(name)) return { before: '', after: ' | ' }
  return { before: '', after: '' }
}

/** Spans of cells and cells of a table that are followed; beyond them a page is hostile, or no table for people. */
const MAX_CELL_SPAN = 50
const MAX_TABLE_CELLS = 200_000

/** A table in Markdown; null for one that lays out a page: with a table inside, or of one column. */
function readTable(table: HtmlNode): string | null {
  const rows: HtmlNode[] = []
  const captions: HtmlNode[] = []
  const stack = [...(table.childNodes ?? [])].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === 'table') return null
    if (node.nodeName === 'tr') rows.push(node)
    if (node.nodeName === 'caption') captions.push(node)
    else for (const child of [...(node.childNodes ?? [])].reverse()) stack.push(child)
  }
  const grid = toGrid(rows)
  if (!grid || grid.length === 0 || Math.max(...grid.map(({ length }) => length)) < 2) return null
  const caption = captions.map((node) => htmlToText(node)).join('\n')
  return caption === '' ? toMarkdownTable(grid) : `${caption}\n\n${toMarkdownTable(grid)}`
}

/** The texts of the cells: one that spans rows stands in each of them, one that spans columns in the first. */
function toGrid(rows: readonly HtmlNode[]): string[][] | null {
  const grid: string[][] = []
  let cellsLeft = MAX_TABLE_CELLS
  let spanning = new Map<number, { text: string; rowsLeft: number }>()
  for (const row of rows) {
    const texts: string[] = []
    const next: typeof spanning = new Map()
    const takeSpanning = () => {
      for (let above = spanning.get(texts.length); above; above = spanning.get(texts.length)) {
        if (above.rowsLeft > 1) next.set(texts.length, { ...above, rowsLeft: above.rowsLeft - 1 })
        texts.push(above.text)
      }
    }
    for (const cell of (row.childNodes ?? []).filter(({ nodeName }) => CELL_ELEMENTS.has(nodeName))) {
      takeSpanning()
      const text = htmlToText({ nodeName: '#document-fragment', childNodes: cell.childNodes ?? [] })
      const [columns, rowCount] = [getSpan(cell, 'colspan'), getSpan(cell, 'rowspan')]
      for (let column = 0; column < columns; column++) {
        const shown = column === 0 ? text : ''
        if (rowCount > 1) next.set(texts.length, { text: shown, rowsLeft: rowCount - 1 })
        texts.push(shown)
      }
      cellsLeft -= columns
      if (cellsLeft < 0) return null
    }
    takeSpanning()
    spanning = next
    if (texts.length > 0) grid.push(texts)
  }
  return grid
}

function getSpan(cell: HtmlNode, name: 'colspan' | 'rowspan'): number {
  const span = Number(cell.attrs?.find((attribute) => attribute.name === name)?.value ?? 1)
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_CELL_SPAN) : 1
}

const normalizeLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    // The last cell of a row that is laid out has nothing behind it.
    .map((line) => (line.startsWith('|') ? line : line.replace(/ \|$/, '')))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n(?=- )/g, '\n')
    .trim()
