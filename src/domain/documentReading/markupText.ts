import { defaultHandlers, type Handle as TreeHandle, type State, toMdast } from 'hast-util-to-mdast'
import { type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown'
import { toMarkdownTable } from '../chunking/markdownTable.ts'
import { formatNumber } from './numberFormat.ts'
import { toRaisedText } from './formulaText.ts'

export type Element = Extract<Parameters<typeof toMdast>[0], { type: 'element' }>
export type ElementContent = Element['children'][number]
type MarkdownNode = ReturnType<typeof toMdast>
type List = Extract<MarkdownNode, { type: 'list' }>
type RootContent = Extract<MarkdownNode, { type: 'root' }>['children'][number]
type PhrasingContent = Extract<MarkdownNode, { type: 'paragraph' }>['children'][number]

/**
 * The text of a tree of HTML elements, in Markdown without escapes: headings, lists with their numbers, code and
 * tables. Emphasis and the addresses of links are omitted. The tree must not be deeper than the call stack.
 */
export const toText = (tree: Element): string =>
  toMarkdown(toMdast(tree, { handlers: TREE_HANDLERS, document: true }), {
    join: [(left, right) => (left.type === 'paragraph' && right.type === 'list' ? 0 : undefined)],
    handlers: MARKDOWN_HANDLERS as Options['handlers'],
  }).trim()

const MARKDOWN_HANDLERS: Record<string, Handle> = {
  text: ({ value }: { value: string }) => value.replace(/[^\S\n]+/g, ' '),
  break: () => '\n',
  mark: ({ value }: { value: string }) => value,
  heading: (node: Extract<MarkdownNode, { type: 'heading' }>, _parent, state, info) =>
    `${'#'.repeat(node.depth)} ${state.containerPhrasing(node, { ...info, before: ' ', after: '\n' }).replace(/\s+/g, ' ')}`,
  listItem: (node: List['children'][number] & { mark?: string }, _parent, state, info) => {
    const mark = `${node.mark ?? '-'} `
    const tracker = state.createTracker(info)
    tracker.shift(mark.length)
    return state.indentLines(state.containerFlow(node, tracker.current()), (line, index, isBlank) =>
      index === 0 ? mark + line : isBlank ? line : ' '.repeat(mark.length) + line,
    )
  },
}

const inline: TreeHandle = (state, node) => state.all(node)
const block: TreeHandle = (state, node) => state.toFlow(state.all(node))
const raw = (value: string): RootContent => ({ type: 'html', value })

const INLINE_ELEMENTS = ['a', 'b', 'code', 'em', 'i', 'kbd', 'mark', 'optgroup', 'samp', 'strong', 'tt', 'u', 'var']
const BLOCK_ELEMENTS = ['caption', 'details', 'dialog', 'menu', 'option', 'search']

const TREE_HANDLERS: Record<string, TreeHandle> = {
  ...Object.fromEntries(INLINE_ELEMENTS.map((name) => [name, inline])),
  ...Object.fromEntries(BLOCK_ELEMENTS.map((name) => [name, block])),
  dl: (_, node) =>
    raw(
      listElements(node, ['dt', 'dd'])
        .map((one) => toText(h('div', one.children)))
        .join('\n'),
    ),
  hr: () => undefined,
  img: (_, node) => ({ type: 'text', value: String(node.properties['alt'] ?? '') }),
  sup: (state, node) => toRaised(state, node, '^'),
  sub: (state, node) => toRaised(state, node, '_'),
  ol: (state, node) => {
    const list = defaultHandlers.ol(state, node) as List
    for (const [at, mark] of listMarks(node).entries()) Object.assign(list.children[at] ?? {}, { mark })
    return list
  },
  table: readTable,
  /** Lines that have their own marks. */
  lines: (state, node) => ({
    type: 'paragraph',
    children: listElements(node, ['div']).flatMap((line, at) => [
      { type: 'mark', value: `${at > 0 ? '\n' : ''}${String(line.properties['mark'])}` },
      ...state.all(line),
    ]) as PhrasingContent[],
  }),
}

const LIST_FORMATS: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' }

function listMarks(list: Element): string[] {
  const items = list.children.filter((child) => child.type === 'element' && child.tagName === 'li') as Element[]
  const { start, reversed, type } = list.properties
  let number = Number(start ?? (reversed ? items.length : 1))
  return items.map(({ properties: { value } }) => {
    if (value !== undefined && Number.isInteger(Number(value))) number = Number(value)
    const mark = `${formatNumber(number, LIST_FORMATS[String(type)] ?? 'decimal')}.`
    number += reversed ? -1 : 1
    return mark
  })
}

/** Only for text; other raised content is unchanged. */
function toRaised(state: State, node: Element, mark: '^' | '_'): RootContent[] {
  const content = state.all(node) as RootContent[]
  const [only] = content
  return content.length === 1 && only?.type === 'text' ? [{ ...only, value: toRaisedText(only.value, mark) }] : content
}

/** Maximum spans of cells and cells of a table; beyond them a page is hostile. */
const MAX_CELL_SPAN = 50
const MAX_TABLE_CELLS = 200_000

/** A table in Markdown; a layout table, with a table inside or a single column, is read as its blocks. */
function readTable(state: State, table: Element): RootContent[] {
  const rows = listElements(table, ['tr'])
  const captions = listElements(table, ['caption']).map((node) => toText({ ...node, tagName: 'div' }))
  const isLayout = rows.some((row) => listElements(row, ['table']).length > 0)
  const grid = isLayout ? null : toGrid(rows)
  if (!grid || Math.max(0, ...grid.map(({ length }) => length)) < 2)
    return state.toFlow(
      listElements(table, ['caption', 'td', 'th']).flatMap((cell) => state.toFlow(state.all(cell))),
    ) as RootContent[]
  return [...captions.map((value) => raw(value)), raw(toMarkdownTable(grid))]
}

/** The elements of these names that are not in another of them. */
function listElements(parent: Element, names: readonly string[]): Element[] {
  return parent.children.flatMap((child) => {
    if (child.type !== 'element') return []
    return names.includes(child.tagName) ? [child] : listElements(child, names)
  })
}

/** The texts of the cells: one that spans rows is repeated in each, one that spans columns is in the first. */
function toGrid(rows: readonly Element[]): string[][] | null {
  const grid = rows.map((): string[] => [])
  let cellsLeft = MAX_TABLE_CELLS
  for (const [at, row] of rows.entries()) {
    let column = 0
    for (const cell of listElements(row, ['td', 'th'])) {
      while (grid[at]?.[column] !== undefined) column++
      const text = toText(h('div', cell.children))
      const width = getSpan(cell, 'colSpan')
      cellsLeft -= width
      if (cellsLeft < 0) return null
      for (const cells of grid.slice(at, at + getSpan(cell, 'rowSpan')))
        for (let offset = 0; offset < width; offset++) cells[column + offset] ??= offset === 0 ? text : ''
      column += width
    }
  }
  return grid.filter(({ length }) => length > 0)
}

function getSpan({ properties }: Element, name: 'colSpan' | 'rowSpan'): number {
  const span = Number(properties[name] ?? 1)
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_CELL_SPAN) : 1
}

export const h = (
  tagName: string,
  children: (ElementContent | string)[],
  properties: Element['properties'] = {},
): Element => ({
  type: 'element',
  tagName,
  properties,
  children: children.map((child) => (typeof child === 'string' ? { type: 'text', value: child } : child)),
})
