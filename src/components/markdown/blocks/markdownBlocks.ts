import { findBlockFormulaEnd } from '../pipeline/formulaSyntax.ts'
import { type FoldKind, type FoldTag, listFoldTags } from './foldTags.ts'
import { closesFence } from './markdownScan.ts'

/**
 * A run of top-level blocks that parses the same alone as within the complete text, or a fold with its tags: a
 * thought, or `<details>`.
 */
export interface TextBlock {
  kind: 'markdown' | FoldKind
  text: string
  /** Offset in the answer. */
  start: number
}

/** A text split into blocks. Closed ones hardly change as the text grows; `open` is the rest. Joined they are the text. */
export interface TextBlocks {
  text: string
  closed: readonly TextBlock[]
  open: TextBlock
  scan: BlockScan
}

interface BlockScan {
  /** Offsets of the open block and of the first incomplete line. */
  start: number
  next: number
  kind: TextBlock['kind']
  isEmpty: boolean
  followsBlankLine: boolean
  inList: boolean
  /** The last line may be indented code. */
  code: boolean
  /** The open code fence: its marker, and its column if it may belong to a list item. */
  fence: { mark: string; column: number | null } | null
  /** Only a complete parse can find the boundaries: splitting stops. */
  isUnsplittable: boolean
  /** Open `<details>` within one another. */
  depth: number
  /** A tag among words that a later tag may close. */
  opener: { kind: FoldKind; at: number } | null
}

const createScan = (start: number, opener: BlockScan['opener'] = null): BlockScan => ({
  start,
  next: start,
  kind: 'markdown',
  isEmpty: true,
  followsBlankLine: false,
  inList: false,
  code: false,
  fence: null,
  isUnsplittable: false,
  depth: 0,
  opener,
})

export const emptyBlocks: TextBlocks = {
  text: '',
  closed: [],
  open: { kind: 'markdown', text: '', start: 0 },
  scan: createScan(0),
}

/** Splits a growing text that begins at `offset` in the answer: each call scans only new lines. In doubt, no split. */
export function splitBlocks(before: TextBlocks, text: string, offset = 0): TextBlocks {
  if (text === before.text) return before
  const base = text.startsWith(before.text) ? before : emptyBlocks
  const scanner = new BlockScanner(text, offset, base)
  scanner.run()
  return { text, closed: scanner.closed, open: scanner.toBlock(text.length), scan: scanner.scan }
}

interface TextLine {
  content: string
  start: number
  end: number
}

/** The complete line that begins at `start`, null if its end is missing. */
function readLine(text: string, start: number): TextLine | null {
  const ends = /\r\n|\n|\r/g
  ends.lastIndex = start
  const found = ends.exec(text)
  if (!found || (found[0] === '\r' && ends.lastIndex === text.length)) return null
  return { content: text.slice(start, found.index), start, end: ends.lastIndex }
}

/** The first characters of a line show whether it begins a block. */
const BEGINNING_CHARS = 16
const SENTENCE_END_PATTERN = /[.!?…。！？][)\]"'*_”’」』）】]* ?$/

class BlockScanner {
  readonly #text: string
  readonly #offset: number
  closed: TextBlock[]
  scan: BlockScan

  constructor(text: string, offset: number, { closed, scan }: TextBlocks) {
    this.#text = text
    this.#offset = offset
    this.closed = [...closed]
    this.scan = { ...scan }
  }

  run(): void {
    for (let line = readLine(this.#text, this.scan.next); line; line = readLine(this.#text, this.scan.next)) {
      if (!this.#scanLine(line)) break
    }
    const { next, kind, fence } = this.scan
    const begun = this.#text.slice(next, next + BEGINNING_CHARS)
    if (begun.length < BEGINNING_CHARS || kind !== 'markdown' || fence) return
    if (canSplitBefore(this.scan, begun)) this.#close(next)
  }

  /** The open block up to an offset of the text. */
  toBlock(to: number): TextBlock {
    const { kind, start } = this.scan
    return { kind, text: this.#text.slice(start, to), start: this.#offset + start }
  }

  #close(at: number): void {
    const { start, opener } = this.scan
    if (at > start) this.closed.push(this.toBlock(at))
    this.scan = createScan(at, opener)
  }

  /** @returns false if the line cannot be understood before more text has arrived */
  #scanLine(line: TextLine): boolean {
    const { content, start, end } = line
    if (this.scan.kind !== 'markdown') {
      const foldEnd = findFoldEnd(this.scan, content)
      this.scan.next = end
      if (foldEnd !== null) this.#close(start + foldEnd)
      return true
    }
    if (this.scan.fence?.column === null) {
      this.scan.next = end
      if (!closesFence(this.scan.fence.mark, content)) return true
      this.scan.fence = null
      if (!this.scan.isUnsplittable) this.#close(end)
      return true
    }
    if (/^[ \t]*$/.test(content)) {
      this.scan.next = end
      this.scan.followsBlankLine = !this.scan.isEmpty
      return true
    }
    if (canSplitBefore(this.scan, content)) this.#close(start)
    const formulaEnd = this.scan.fence ? null : findBlockFormulaEnd(this.#text, line)
    if (formulaEnd === 'unknown') return false
    if (formulaEnd === null && !this.scan.fence && this.#scanFoldTags(line)) return true
    openBlock(this.scan, content)
    this.scan.next = formulaEnd === null ? end : (readLine(this.#text, formulaEnd)?.end ?? end)
    return true
  }

  /** @returns true if the scan continues at a tag in this line, or after it */
  #scanFoldTags({ content, start }: TextLine): boolean {
    const { scan } = this
    const isCode =
      INDENTED_PATTERN.test(content) && !scan.inList && (scan.isEmpty || scan.followsBlankLine || scan.code)
    if (isCode) return false
    for (const tag of listFoldTags(content)) {
      const before = content.slice(0, tag.from)
      const isFirst = (scan.inList ? /^$/ : /^ {0,3}$/).test(before)
      const isLast = content.slice(tag.to).trim() === ''
      if (tag.isClosing) {
        if (this.#closeFold(tag, start, isFirst || (isLast && SENTENCE_END_PATTERN.test(before)))) return true
      } else if (isFirst || (isLast && !scan.inList && !CONTAINER_PATTERN.test(content))) {
        this.#openFold(tag, start, isFirst)
        return true
      } else scan.opener = { kind: tag.kind, at: start + tag.from }
    }
    return false
  }

  #openFold({ kind, from, to }: FoldTag, lineStart: number, isFirst: boolean): void {
    if (!this.scan.isEmpty || !isFirst) this.#close(lineStart + from)
    Object.assign(this.scan, { kind, depth: 1, next: lineStart + to, opener: null })
  }

  /**
   * A closing tag that no tag at the edge of a line opened. The template of some models opens the thought before the
   * answer begins: then all so far was a thought.
   */
  #closeFold({ kind, to }: FoldTag, lineStart: number, isEnd: boolean): boolean {
    const { scan } = this
    const opener = scan.opener?.kind === kind ? scan.opener : null
    if (opener && !isEnd && opener.at >= scan.start) {
      // Both are in one block: the parser finds them.
      scan.opener = null
      return false
    }
    if (!isEnd) return false
    const isLone = kind === 'thought' && this.closed.every((block) => block.kind !== 'thought')
    if (!opener && !isLone) return false
    const from = opener?.at ?? 0
    const isBefore = (block: TextBlock) => block.start - this.#offset + block.text.length <= from
    const kept = this.closed.filter(isBefore)
    const last = kept.at(-1)
    const begin = last ? last.start - this.#offset + last.text.length : 0
    this.closed = kept
    this.scan = createScan(begin)
    this.#close(from)
    this.scan.kind = kind
    this.#close(lineStart + to)
    return true
  }
}

/** The end of the open fold in this line. Tags in code count for nothing. */
function findFoldEnd(scan: BlockScan, content: string): number | null {
  if (scan.fence) {
    if (closesFence(scan.fence.mark, content.trim())) scan.fence = null
    return null
  }
  const mark = NESTED_FENCE_PATTERN.exec(content)?.[1]
  if (mark) {
    scan.fence = { mark, column: null }
    return null
  }
  for (const { kind, isClosing, to } of listFoldTags(content)) {
    if (kind !== scan.kind) continue
    // A thought ends at the first closing tag: models write of tags in it.
    if (isClosing) scan.depth--
    else if (kind === 'details') scan.depth++
    if (scan.depth === 0) return to
  }
  return null
}

const INDENTED_PATTERN = /^(?: {4}| {0,3}\t)/
const LIST_ITEM_PATTERN = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/
const CODE_FENCE_PATTERN = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const NESTED_FENCE_PATTERN = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/
/** The content of a line in a list, a quotation, a heading or a table stays there. */
const CONTAINER_PATTERN = /^ {0,3}(?:[-+*][ \t]|\d{1,9}[.)][ \t]|[>|#])/

/** A blank line ends a block, unless the next line may continue a list, indented code or a footnote. */
function canSplitBefore(scan: BlockScan, content: string): boolean {
  if (scan.isUnsplittable || scan.fence || !scan.followsBlankLine) return false
  if (scan.inList) return /^[^ \t]/.test(content) && !LIST_ITEM_PATTERN.test(content)
  // After indented code the parser treats some list items as text.
  return !INDENTED_PATTERN.test(content) && !(scan.code && LIST_ITEM_PATTERN.test(content))
}

/** The block that a non-blank line opens. */
function openBlock(scan: BlockScan, content: string): void {
  const follows = !scan.isEmpty && !scan.followsBlankLine
  scan.isEmpty = false
  scan.followsBlankLine = false
  scan.code = INDENTED_PATTERN.test(content)
  if (scan.fence) return continueListItem(scan, content)
  // Only an item numbered 1 may interrupt a paragraph.
  if (LIST_ITEM_PATTERN.test(content)) {
    if (follows && !scan.inList && /^ *\d/.test(content) && !/^ *1[.)]/.test(content)) scan.isUnsplittable = true
    scan.inList = true
  }
  const inner = scan.inList ? content.replace(/^(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)(?:[ \t]+|$))*[ \t]*/, '') : content
  const sure = inner === content
  const mark = CODE_FENCE_PATTERN.exec(inner)?.[1]
  if (mark) scan.fence = { mark, column: sure ? null : content.length - inner.length }
}

/** A fence in a list item ends with its marker in the same column, or with the item: only a complete parse can decide. */
function continueListItem(scan: BlockScan, content: string): void {
  const { mark, column } = scan.fence as { mark: string; column: number }
  const indent = /^ */.exec(content)?.[0].length ?? 0
  if (indent === column && closesFence(mark, content.slice(indent))) scan.fence = null
  else if (indent < column || CODE_FENCE_PATTERN.test(content.trimStart())) scan.isUnsplittable = true
}

/** True when blocks of the text may refer to each other (link and footnote definitions): it must be parsed as a whole. */
export const hasDefinitions = (text: string): boolean => /^[ \t>*+\-\d.)]*\[[^\]\r\n]+\]:/m.test(text)
