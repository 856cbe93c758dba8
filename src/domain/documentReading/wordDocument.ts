import { codePoint } from 'dingbat-to-unicode'
import { toFormulaText } from './formulaText.ts'
import { findChild, findNodes, getAttribute, getText, getVal, type MarkupNode } from './markupNode.ts'
import { type Element, type ElementContent, h, toText } from './markupText.ts'
import { formatNumber } from './numberFormat.ts'
import { type OfficePart, openOfficePackage } from './officePackage.ts'
import type { ReadingLosses } from './readingLoss.ts'
import { UnreadableFileError } from './unreadableFile.ts'

/** The text of a Word document, in Markdown. @throws UnreadableFileError */
export async function readWord(bytes: Uint8Array, losses: ReadingLosses): Promise<string> {
  const main = openOfficePackage(bytes, 'word/document.xml')
  const body = findChild(main?.root, 'w:body')
  if (!main || !body)
    throw new UnreadableFileError('unsupported', 'The file is named .docx but is not a Word document.')
  try {
    return new WordReader(main, losses).read(body)
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('faulty', 'The Word document is damaged and cannot be read.')
  }
}

type Inline = (ElementContent | string)[]

/** Elements of which only the content counts. */
const TRANSPARENT = ['w:customXml', 'w:smartTag', 'w:ins', 'w:moveTo', 'w:hyperlink', 'w:fldSimple', 'w:dir', 'w:bdo']
const BLOCKS = ['w:p', 'w:tbl', 'w:tr', 'w:tc']
const OBJECTS = ['w:object', 'w:altChunk', 'w:subDoc']
const MAX_HEADING_LEVEL = 6

class WordReader {
  private readonly main: OfficePart
  private readonly losses: ReadingLosses
  private readonly styles: MarkupNode[]
  private readonly numbering: MarkupNode | undefined
  /** By numbering and level. */
  private readonly counters = new Map<string, number[]>()
  private readonly started = new Set<string>()
  private readonly notes: MarkupNode[]
  private noteCount = 0
  /** Text boxes and notes of a paragraph, which follow it. */
  private behind: ElementContent[] = []

  constructor(main: OfficePart, losses: ReadingLosses) {
    this.main = main
    this.losses = losses
    this.styles = findNodes(main.findPart('type', 'styles')?.root, 'w:style')
    this.numbering = main.findPart('type', 'numbering')?.root
    this.notes = ['footnote', 'endnote'].flatMap((kind) =>
      findNodes(main.findPart('type', `${kind}s`)?.root, `w:${kind}`),
    )
  }

  read(body: MarkupNode): string {
    const blocks = this.readBlocks(body)
    return toText(h('div', [...this.readMargins(body, 'header'), ...blocks, ...this.readMargins(body, 'footer')]))
  }

  /** The texts of the headers or footers, each once; not the numbers of pages. */
  private readMargins(body: MarkupNode, kind: 'header' | 'footer'): Element[] {
    const references = findNodes(body, `w:${kind}Reference`).map((node) =>
      this.main.findPart('id', getAttribute(node, 'id')),
    )
    const texts = references.map((part) => toText(h('div', this.readBlocks(part?.root))))
    return [...new Set(texts)]
      .filter((text) => /\p{L}{3}/u.test(text.replace(PAGE_NUMBER_WORDS, '')))
      .map((text) => h('p', [text]))
  }

  private readBlocks(parent: MarkupNode | undefined): ElementContent[] {
    const blocks: ElementContent[] = []
    for (const node of listChildren(parent)) {
      const name = node.nodeName
      if (name === 'w:p') this.addParagraph(blocks, node)
      else if (name === 'w:tbl') blocks.push(this.readTable(node))
      else if (name === 'm:oMathPara') blocks.push(h('p', [toFormulaText(node)]))
      else if (OBJECTS.includes(name)) this.losses.add('embedded_object')
      blocks.push(...this.behind.splice(0))
    }
    return blocks
  }

  /** Numbered paragraphs that follow each other are the lines of one list. */
  private addParagraph(blocks: ElementContent[], paragraph: MarkupNode): void {
    const own = findChild(paragraph, 'w:pPr')
    const chain = this.listStyles(getVal(own, 'w:pStyle') ?? this.findDefaultStyle())
    const all = [own, ...chain.map((style) => findChild(style, 'w:pPr'))]
    const inline = this.readInline(paragraph)
    const numberings = all.map((one) => findChild(one, 'w:numPr'))
    const numId = numberings.map((one) => getVal(one, 'w:numId')).find(Boolean)
    const level = Number(numberings.map((one) => getVal(one, 'w:ilvl')).find(Boolean) ?? 0)
    const mark = numId && numId !== '0' && hasContent(inline) ? this.toLabel(numId, level) : ''
    const heading = findHeadingLevel(chain, all.map((one) => getVal(one, 'w:outlineLvl')).find(Boolean))
    if (heading) blocks.push(h(`h${heading}`, mark && mark !== '-' ? [`${mark} `, ...inline] : inline))
    else if (mark) {
      const line = h('div', inline, { mark: `${'   '.repeat(level)}${mark} ` })
      const last = blocks.at(-1)
      if (last?.type === 'element' && last.tagName === 'lines') last.children.push(line)
      else blocks.push(h('lines', [line]))
    } else blocks.push(h('p', inline))
  }

  private findNumbering(name: 'num' | 'abstractNum', id: string): MarkupNode | undefined {
    const isFound = (node: MarkupNode) => node.nodeName === `w:${name}` && getAttribute(node, `${name}Id`) === id
    return this.numbering?.childNodes?.find(isFound)
  }

  /** The id of the level definitions, also if a style has them. */
  private findLevelsId(numId: string): string {
    const findId = (id: string) => getVal(this.findNumbering('num', id), 'w:abstractNumId') ?? ''
    const style = this.findStyle(getVal(this.findNumbering('abstractNum', findId(numId)), 'w:numStyleLink') ?? '')
    return findId(getVal(findChild(findChild(style, 'w:pPr'), 'w:numPr'), 'w:numId') ?? numId)
  }

  /** The label of a paragraph, counted in the order of the calls. */
  private toLabel(numId: string, level: number): string {
    const id = this.findLevelsId(numId)
    const levels = findNodes(this.findNumbering('abstractNum', id), 'w:lvl')
    const overrides = findNodes(this.findNumbering('num', numId), 'w:lvlOverride')
    const isOf = (at: number) => (node: MarkupNode) => Number(getAttribute(node, 'ilvl')) === at
    const findLevel = (at: number) => findChild(overrides.find(isOf(at)), 'w:lvl') ?? levels.find(isOf(at))
    const getStart = (at: number) => Number(getVal(findLevel(at), 'w:start') ?? 1)
    const getFormat = (at: number) => getVal(findLevel(at), 'w:numFmt') ?? 'decimal'
    const counts = this.counters.get(id) ?? []
    this.counters.set(id, counts)
    for (const override of this.started.has(numId) ? [] : overrides) {
      const start = getVal(override, 'w:startOverride')
      if (start !== undefined) counts[Number(getAttribute(override, 'ilvl'))] = Number(start) - 1
    }
    this.started.add(numId)
    for (let at = 0; at < level; at++) counts[at] ??= getStart(at)
    counts[level] = (counts[level] ?? getStart(level) - 1) + 1
    counts.length = level + 1
    const text = getVal(findLevel(level), 'w:lvlText') ?? ''
    const isLegal = findChild(findLevel(level), 'w:isLgl') !== undefined
    if (getFormat(level) === 'bullet') return '-'
    if (getFormat(level) === 'none') return text.replace(/%\d/g, '').trim()
    return text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      return formatNumber(counts[at] ?? 1, isLegal && at < level ? 'decimal' : getFormat(at))
    })
  }

  private findStyle(id: string | undefined): MarkupNode | undefined {
    return this.styles.find((style) => getAttribute(style, 'styleId') === id)
  }

  private findDefaultStyle(): string | undefined {
    const isDefault = (style: MarkupNode) =>
      getAttribute(style, 'type') === 'paragraph' && isOn(getAttribute(style, 'default') ?? '0')
    return getAttribute(this.styles.find(isDefault), 'styleId')
  }

  /** A style and those that it is based on. */
  private listStyles(id: string | undefined): MarkupNode[] {
    const chain = new Set<MarkupNode>()
    for (let style = this.findStyle(id); style && !chain.has(style); style = this.findStyle(getVal(style, 'w:basedOn')))
      chain.add(style)
    return [...chain]
  }

  private readInline(parent: MarkupNode | undefined): Inline {
    return listChildren(parent).flatMap((node): Inline => {
      if (node.nodeName === 'w:r') return this.readRun(node)
      return /^m:oMath(?:Para)?$/.test(node.nodeName) ? [toFormulaText(node)] : []
    })
  }

  private readRun(run: MarkupNode): Inline {
    const own = findChild(run, 'w:rPr')
    const all = [own, ...this.listStyles(getVal(own, 'w:rStyle')).map((style) => findChild(style, 'w:rPr'))]
    const find = (name: string) => all.map((one) => findChild(one, name)).find(Boolean)
    const has = (name: string) => isOn(getAttribute(find(name), 'val') ?? (find(name) ? '1' : '0'))
    const loss = has('w:vanish') ? 'hidden_text' : has('w:strike') || has('w:dstrike') ? 'struck_text' : null
    if (loss) {
      if (getText(run).trim()) this.losses.add(loss)
      return []
    }
    const content = listChildren(run).flatMap((node) => this.readRunContent(node))
    const position = getAttribute(find('w:vertAlign'), 'val')
    if (content.length === 0 || (position !== 'superscript' && position !== 'subscript')) return content
    return [h(position === 'superscript' ? 'sup' : 'sub', content)]
  }

  private readRunContent(node: MarkupNode): Inline {
    switch (node.nodeName) {
      case 'w:t':
        return [getText(node)]
      case 'w:tab':
      case 'w:ptab':
        return [' ']
      case 'w:br':
      case 'w:cr':
        return [h('br', [])]
      case 'w:noBreakHyphen':
        return ['-']
      case 'w:sym':
        return [this.readSymbol(node)]
      case 'w:ruby':
        return [
          ...this.readInline(findChild(node, 'w:rubyBase')),
          '(',
          ...this.readInline(findChild(node, 'w:rt')),
          ')',
        ]
      case 'w:fldChar':
        return readFormField(findChild(node, 'w:ffData'))
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.readNote(node)
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.readDrawing(node)
      default:
        return []
    }
  }

  private readSymbol(node: MarkupNode): string {
    const code = Number.parseInt(getAttribute(node, 'char') ?? '', 16)
    const symbol = codePoint(getAttribute(node, 'font') ?? '', code >= 0xf000 ? code - 0xf000 : code)
    if (symbol) return symbol.string
    if (code > 0x20 && code < 0xe000) return String.fromCodePoint(code)
    this.losses.add('unreadable_character')
    return ''
  }

  private readNote(reference: MarkupNode): Inline {
    const id = getAttribute(reference, 'id')
    const kind = reference.nodeName.replace('Reference', '')
    const note = this.notes.find((one) => one.nodeName === kind && getAttribute(one, 'id') === id)
    if (!note) return []
    const mark = `[${++this.noteCount}]`
    const before = this.behind.splice(0)
    const text = toText(h('div', this.readBlocks(note)))
    this.behind.push(...before, h('p', [`${mark} ${text}`]))
    return [mark]
  }

  /** The text boxes of a drawing; of a picture, what it shows. */
  private readDrawing(node: MarkupNode): Inline {
    const boxes = findNodes(node, 'w:txbxContent')
    const texts = boxes.flatMap((box) => this.readBlocks(box))
    this.behind.push(...texts)
    if (boxes.length > 0) return []
    const described = findNodes(node, 'docPr', 'shape')
    const descriptions = described.map((one) => getAttribute(one, 'descr') ?? getAttribute(one, 'alt') ?? '')
    const description = descriptions.join(' ').trim()
    if (description) return [description]
    const isPicture = node.nodeName !== 'w:object' && findNodes(node, 'pic', 'imagedata').length > 0
    if (isPicture || node.nodeName === 'w:object' || findNodes(node, 'chart', 'relIds').length > 0)
      this.losses.add(isPicture ? 'picture' : 'embedded_object')
    return []
  }

  private readTable(table: MarkupNode): Element {
    /** Cells that may continue in the next row, by their first column. */
    let above = new Map<number, Element>()
    const rows = listChildren(table, 'w:tr').filter((row) => !findChild(findChild(row, 'w:trPr'), 'w:del'))
    return h(
      'table',
      rows.map((row) => {
        const skipped = Number(getVal(findChild(row, 'w:trPr'), 'w:gridBefore') ?? 0)
        const cells = Array.from({ length: skipped }, () => h('td', []))
        const open = new Map<number, Element>()
        let column = skipped
        for (const cell of listChildren(row, 'w:tc')) {
          const properties = findChild(cell, 'w:tcPr')
          const span = Number(getVal(properties, 'w:gridSpan') ?? 1)
          const merge = findChild(properties, 'w:vMerge')
          const start = merge && getAttribute(merge, 'val') !== 'restart' ? above.get(column) : undefined
          const element = start ?? h('td', this.readBlocks(cell), { colSpan: span })
          if (start) start.properties['rowSpan'] = Number(start.properties['rowSpan'] ?? 1) + 1
          else cells.push(element)
          if (merge) open.set(column, element)
          column += span
        }
        above = open
        return h('tr', cells)
      }),
    )
  }
}

/** Words in headers and footers that only count pages. */
const PAGE_NUMBER_WORDS = /\b(?:page|of|seite|von|sur)\b|第|页|頁|共/giu

function findHeadingLevel(styles: readonly MarkupNode[], outline = '9'): number | null {
  const names = styles.map((style) => getVal(style, 'w:name') ?? '')
  const named = names
    .map((name) => /^heading ([1-9])$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? 1 : null))
    .find(Boolean)
  const level = Number(named ?? Number(outline) + 1)
  return level <= MAX_HEADING_LEVEL ? level : named ? MAX_HEADING_LEVEL : null
}

const isOn = (value: string): boolean => !['0', 'false', 'off', 'none'].includes(value)

const hasContent = (inline: Inline): boolean => inline.some((one) => typeof one !== 'string' || one.trim() !== '')

/** The children of a node, of one name or of any, and those of elements of which only the content counts. */
function listChildren(parent: MarkupNode | undefined, name?: string): MarkupNode[] {
  return (parent?.childNodes ?? []).flatMap((node) => {
    if (TRANSPARENT.includes(node.nodeName)) return listChildren(node, name)
    if (node.nodeName === 'AlternateContent')
      return listChildren(findChild(node, 'Choice') ?? findChild(node, 'Fallback'), name)
    if (node.nodeName === 'w:sdt') {
      const isPlaceholder = findChild(findChild(node, 'w:sdtPr'), 'w:showingPlcHdr') !== undefined
      const content = listChildren(findChild(node, 'w:sdtContent'), name)
      return isPlaceholder ? content.filter((one) => BLOCKS.includes(one.nodeName)) : content
    }
    return name && node.nodeName !== name ? [] : [node]
  })
}

/** The check box or the chosen entry of a form field of older documents. */
function readFormField(field: MarkupNode | undefined): Inline {
  const box = findChild(field, 'w:checkBox')
  if (box) {
    const state = findChild(box, 'w:checked') ?? findChild(box, 'w:default')
    return [state && isOn(getAttribute(state, 'val') ?? '1') ? '☒' : '☐']
  }
  const list = findChild(field, 'w:ddList')
  const entry = findNodes(list, 'w:listEntry')[Number(getVal(list, 'w:result') ?? getVal(list, 'w:default') ?? 0)]
  return entry ? [getAttribute(entry, 'val') ?? ''] : []
}
