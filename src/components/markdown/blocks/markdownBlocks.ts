/**
 * A run of top-level blocks that parses the same alone as within the whole text, or what stands in `<think>` or
 * `<details>` tags, with the tags.
 */
export interface TextBlock {
  kind: 'markdown' | 'thought' | 'details'
  text: string
  /** Offset in the whole text. */
  start: number
}

/** A text split into blocks. `done` never changes as the text grows; `open` is the rest. Joined they are the text. */
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
  /** The end condition of an open HTML block of the kinds that a blank line does not end. */
  html: RegExp | null
  /** An HTML block of the kinds that a blank line ends may be open. */
  isRawHtml: boolean
  /** Only a complete parse can find the boundaries: splitting stops. */
  isUnsplittable: boolean
  /** Open `<details>` within one another. */
  depth: number
}

const createScan = (start: number): BlockScan => ({
  start,
  next: start,
  kind: 'markdown',
  isEmpty: true,
  followsBlankLine: false,
  inList: false,
  code: false,
  fence: null,
  html: null,
  isRawHtml: false,
  isUnsplittable: false,
  depth: 0,
})

export const emptyBlocks: TextBlocks = {
  text: '',
  closed: [],
  open: { kind: 'markdown', text: '', start: 0 },
  scan: createScan(0),
}

/**
 * Splits a growing text. Finished blocks stay as they are, so each call scans only new lines. The rules are those of
 * CommonMark, and conservative: in doubt, no split (`blocks.test.ts` compares with a complete parse).
 */
export function splitBlocks(before: TextBlocks, text: string): TextBlocks {
  if (text === before.text) return before
  const base = text.startsWith(before.text) ? before : emptyBlocks
  let done = [...base.closed]
  let scan = { ...base.scan }
  const closeBlock = (at: number) => {
    if (at > scan.start) done.push({ kind: scan.kind, text: text.slice(scan.start, at), start: scan.start })
    scan = createScan(at)
  }
  for (let line = readLine(text, scan.next); line; line = readLine(text, scan.next)) {
    const thoughtEnd = isInsideBlock(scan) ? null : findLoneThoughtEnd(line)
    if (thoughtEnd === null || done.some(({ kind }) => kind === 'thought')) scanLine(scan, line, closeBlock)
    else {
      // The template of some models opens the thought before the answer begins: all so far was a thought.
      done = [{ kind: 'thought', text: text.slice(0, thoughtEnd), start: 0 }]
      scan = createScan(thoughtEnd)
    }
  }
  // The first 16 characters of a line show whether it begins a block.
  const begun = text.slice(scan.next, scan.next + 16)
  if (begun.length === 16 && !isInsideBlock(scan) && canSplitBefore(scan, begun)) closeBlock(scan.next)
  return { text, closed: done, open: { kind: scan.kind, text: text.slice(scan.start), start: scan.start }, scan }
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

const isInsideBlock = ({ kind, fence, html }: BlockScan): boolean =>
  kind !== 'markdown' || fence !== null || html !== null

/** The end of a thought that no tag opened: a closing tag at the start or the end of a line. */
function findLoneThoughtEnd({ content, start }: TextLine): number | null {
  if (!/^[ \t]*<\/think>|<\/think>[ \t]*$/.test(content) || content.includes('<think>')) return null
  return start + content.indexOf('</think>') + '</think>'.length
}

/** Scans one line. A split replaces the scan, so it is the last operation on the old one. */
function scanLine(scan: BlockScan, line: TextLine, closeBlock: (at: number) => void): void {
  const { content, start, end } = line
  scan.next = end
  if (scan.kind === 'thought') {
    const close = content.indexOf('</think>')
    if (close >= 0) closeBlock(start + close + '</think>'.length)
    return
  }
  if (scan.kind === 'details') {
    const close = findDetailsEnd(scan, content)
    if (close !== null) closeBlock(start + close)
    return
  }
  if (scan.fence?.column === null) {
    if (!closesFence(scan.fence.mark, content)) return
    scan.fence = null
    if (!scan.isUnsplittable) closeBlock(end)
    return
  }
  if (scan.html) {
    if (scan.html.test(content)) scan.html = null
    return
  }
  if (/^[ \t]*$/.test(content)) {
    scan.followsBlankLine = !scan.isEmpty
    scan.isRawHtml = false
    return
  }
  if (canSplitBefore(scan, content)) return closeBlock(start)
  const fold = scan.isUnsplittable ? null : FOLD_PATTERN.exec(content)
  if (fold) {
    if (!scan.isEmpty) return closeBlock(start)
    scan.kind = fold[0] === '<think>' ? 'thought' : 'details'
    scan.depth = 1
    scan.next = start + fold[0].length
    return
  }
  openBlock(scan, content)
}

const FOLD_PATTERN = /^(?:<think>|<details(?:\s[^<>]*)?>)/

/** Counts the `<details>` in one another. @returns the end of the outermost one in this line */
function findDetailsEnd(scan: BlockScan, content: string): number | null {
  for (const { 0: tag, index } of content.matchAll(/<details(?=[\s>])|<\/details>/g)) {
    scan.depth += tag === '</details>' ? -1 : 1
    if (scan.depth === 0) return index + tag.length
  }
  return null
}

const INDENTED_PATTERN = /^(?: {4}| {0,3}\t)/
const LIST_ITEM_PATTERN = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/
const CODE_FENCE_PATTERN = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const HTML_BLOCK_PATTERNS: [RegExp, RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
]

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
  if (scan.isRawHtml && (mark || HTML_BLOCK_PATTERNS.some(([opens]) => opens.test(inner)))) scan.isUnsplittable = true
  if (/^ {0,3}<\/?[a-z]/i.test(inner)) scan.isRawHtml = true
  if (mark) scan.fence = { mark, column: sure ? null : content.length - inner.length }
  for (const [opens, ends] of HTML_BLOCK_PATTERNS) {
    const opener = opens.exec(inner)
    if (!opener || ends.test(inner.slice(opener[0].length))) continue
    if (sure) scan.html = ends
    else scan.isUnsplittable = true
    return
  }
}

/** A fence in a list item ends with its marker in the same column, or with the item: only a complete parse can tell. */
function continueListItem(scan: BlockScan, content: string): void {
  const { mark, column } = scan.fence as { mark: string; column: number }
  const indent = /^ */.exec(content)?.[0].length ?? 0
  if (indent === column && closesFence(mark, content.slice(indent))) scan.fence = null
  else if (indent < column || CODE_FENCE_PATTERN.test(content.trimStart())) scan.isUnsplittable = true
}

function closesFence(mark: string, content: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(content)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

/** True when blocks of the text may refer to each other (link and footnote definitions): it must be parsed as a whole. */
export const hasDefinitions = (text: string): boolean => /^[ \t>*+\-\d.)]*\[[^\]\r\n]+\]:/m.test(text)
