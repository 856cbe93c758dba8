/** A run of top-level blocks that parses the same alone as within the whole text, or what stands in `<think>` tags. */
export interface Block {
  kind: 'markdown' | 'thought'
  text: string
  /** Where it begins in the whole text. */
  start: number
}

/** A text cut into blocks. `done` never changes again as the text grows; `open` is the rest. Joined they are the text. */
export interface Blocks {
  text: string
  done: readonly Block[]
  open: Block
  scan: Scan
}

interface Scan {
  /** Where the open block starts, and where the first line stands that was not whole yet. */
  start: number
  next: number
  kind: Block['kind']
  empty: boolean
  blank: boolean
  inList: boolean
  /** The last line may be indented code. */
  code: boolean
  /** The open code fence: its mark, and the column it stands in where it may belong to a list item. */
  fence: { mark: string; column: number | null } | null
  /** What ends the open HTML block of the kinds that blank lines do not end. */
  html: RegExp | null
  /** An HTML block of the kinds that end at a blank line may be open. */
  raw: boolean
  /** Something was seen that only a whole parse can tell: nothing is cut any more. */
  stuck: boolean
}

const fresh = (start: number): Scan => ({
  start,
  next: start,
  kind: 'markdown',
  empty: true,
  blank: false,
  inList: false,
  code: false,
  fence: null,
  html: null,
  raw: false,
  stuck: false,
})

export const noBlocks: Blocks = { text: '', done: [], open: { kind: 'markdown', text: '', start: 0 }, scan: fresh(0) }

/**
 * Cuts a text that grows. What was cut before stays as it is, so each call looks only at the lines that are new. The rules
 * are those of CommonMark, always on the safe side: where in doubt, no cut (`blocks.test.ts` compares with a whole parse).
 */
export function cutBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before
  const base = text.startsWith(before.text) ? before : noBlocks
  const done = [...base.done]
  let scan = { ...base.scan }
  const cut = (at: number) => {
    if (at > scan.start) done.push({ kind: scan.kind, text: text.slice(scan.start, at), start: scan.start })
    scan = fresh(at)
  }
  for (let line = lineAt(text, scan.next); line; line = lineAt(text, scan.next)) read(scan, line, cut)
  // Sixteen characters of a line tell whether it begins a block.
  const begun = text.slice(scan.next, scan.next + 16)
  if (begun.length === 16 && !inside(scan) && mayCut(scan, begun)) cut(scan.next)
  return { text, done, open: { kind: scan.kind, text: text.slice(scan.start), start: scan.start }, scan }
}

interface Line {
  content: string
  start: number
  end: number
}

/** The whole line that begins at `start`, null while its end has not come. */
function lineAt(text: string, start: number): Line | null {
  const ends = /\r\n|\n|\r/g
  ends.lastIndex = start
  const found = ends.exec(text)
  if (!found || (found[0] === '\r' && ends.lastIndex === text.length)) return null
  return { content: text.slice(start, found.index), start, end: ends.lastIndex }
}

const inside = ({ kind, fence, html }: Scan): boolean => kind === 'thought' || fence !== null || html !== null

/** Takes one line into the scan. Cutting replaces the scan, so it is the last deed on the old one. */
function read(scan: Scan, line: Line, cut: (at: number) => void): void {
  const { content, start, end } = line
  scan.next = end
  if (scan.kind === 'thought') {
    const close = content.indexOf('</think>')
    if (close >= 0) cut(start + close + '</think>'.length)
    return
  }
  if (scan.fence?.column === null) {
    if (!closes(scan.fence.mark, content)) return
    scan.fence = null
    if (!scan.stuck) cut(end)
    return
  }
  if (scan.html) {
    if (scan.html.test(content)) scan.html = null
    return
  }
  if (/^[ \t]*$/.test(content)) {
    scan.blank = !scan.empty
    scan.raw = false
    return
  }
  if (mayCut(scan, content)) return cut(start)
  if (/^<think>/.test(content) && !scan.stuck) {
    if (!scan.empty) return cut(start)
    scan.kind = 'thought'
    scan.next = start + '<think>'.length
    return
  }
  begin(scan, content)
}

const INDENTED = /^(?: {4}| {0,3}\t)/
const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const HTML: [RegExp, RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
]

/** A blank line before a line ends a block, unless that line may go on with a list, an indented code or a footnote. */
function mayCut(scan: Scan, content: string): boolean {
  if (scan.stuck || scan.fence || !scan.blank) return false
  if (scan.inList) return /^[^ \t]/.test(content) && !LIST_ITEM.test(content)
  // After an indented code the parser takes some items for text.
  return !INDENTED.test(content) && !(scan.code && LIST_ITEM.test(content))
}

/** What a line that is not blank opens. */
function begin(scan: Scan, content: string): void {
  const follows = !scan.empty && !scan.blank
  scan.empty = false
  scan.blank = false
  scan.code = INDENTED.test(content)
  if (scan.fence) return goOnInItem(scan, content)
  // Only an item numbered 1 may interrupt a paragraph.
  if (LIST_ITEM.test(content)) {
    if (follows && !scan.inList && /^ *\d/.test(content) && !/^ *1[.)]/.test(content)) scan.stuck = true
    scan.inList = true
  }
  const inner = scan.inList ? content.replace(/^(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)(?:[ \t]+|$))*[ \t]*/, '') : content
  const sure = inner === content
  const mark = FENCE.exec(inner)?.[1]
  if (scan.raw && (mark || HTML.some(([opens]) => opens.test(inner)))) scan.stuck = true
  if (/^ {0,3}<\/?[a-z]/i.test(inner)) scan.raw = true
  if (mark) scan.fence = { mark, column: sure ? null : content.length - inner.length }
  for (const [opens, ends] of HTML) {
    const opener = opens.exec(inner)
    if (!opener || ends.test(inner.slice(opener[0].length))) continue
    if (sure) scan.html = ends
    else scan.stuck = true
    return
  }
}

/** A fence in a list item ends with its mark in the same column, or with the item: then only a whole parse can tell. */
function goOnInItem(scan: Scan, content: string): void {
  const { mark, column } = scan.fence as { mark: string; column: number }
  const indent = /^ */.exec(content)?.[0].length ?? 0
  if (indent === column && closes(mark, content.slice(indent))) scan.fence = null
  else if (indent < column || FENCE.test(content.trimStart())) scan.stuck = true
}

function closes(mark: string, content: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(content)?.[1]
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length
}

/** True when blocks of the text may refer to each other (link and footnote definitions): it must be parsed as a whole. */
export const hasDefinitions = (text: string): boolean => /^[ \t>*+\-\d.)]*\[[^\]\r\n]+\]:/m.test(text)
