import type { TextBlock } from './markdownBlocks.ts'
import { closesFence, codeEndsIn, containersOf, endOfLine, endOfRun, isSpace } from './markdownScan.ts'

/**
 * The main-thread cost of parsing and rendering one block, and how a block above the limit is shown. The estimate
 * uses microseconds measured with micromark 4 and React 19 on the two-core CI machine; the fuzz target `markdown`
 * compares them with the clock.
 */
export interface BlockCost {
  /**
   * `page`: parsed on the main thread. `worker`: parsed in the worker as soon as the block is complete, plain text until
   * then. `plain`: plain text, unless a person asks for more.
   */
  way: 'page' | 'worker' | 'plain'
  /** Main-thread time to render it once (ms). */
  drawMs: number
}

/** Maximum main-thread time for one block (ms). */
export const MAX_PAGE_MS = 100
/** Maximum worker time without a request by a person (ms). */
const MAX_UNASKED_MS = 2_000
/** Maximum nesting of containers (quotations, list items). Parsers and trees recurse. */
export const MAX_DEPTH = 64
const PLAIN_MS_PER_CHARACTER = 0.000_3

/** Blocks of a fold are rendered in separate steps. */
const FOLD_MS_PER_CHARACTER = 0.003

const costs = new WeakMap<TextBlock, BlockCost>()

/** The cost of a block, cached. */
export function costOfBlock(block: TextBlock): BlockCost {
  const cost = costs.get(block) ?? (block.kind === 'markdown' ? costOf(block.text) : costOfFold(block.text))
  costs.set(block, cost)
  return cost
}

const costOfFold = ({ length }: string): BlockCost => ({
  way: 'page',
  drawMs: Math.min(MAX_PAGE_MS, 1 + length * FOLD_MS_PER_CHARACTER),
})

/** The cost of a text as one block, in a single pass: linear in its length for any content. */
export function costOf(text: string): BlockCost {
  const parseMs = new Estimate(text).microseconds() / 1_000
  if (parseMs <= MAX_PAGE_MS) return { way: 'page', drawMs: parseMs }
  return {
    way: parseMs <= MAX_UNASKED_MS ? 'worker' : 'plain',
    drawMs: 1 + text.length * PLAIN_MS_PER_CHARACTER,
  }
}

/** Microseconds per token, where the time grows linearly. */
const US = {
  block: 700,
  character: 0.9,
  line: 25,
  blankLine: 8,
  codeLine: 12,
  codeBlock: 700,
  indentation: 30,
  listItem: 120,
  quotation: 45,
  heading: 110,
  hardBreak: 80,
  cell: 85,
  bar: 10,
  emphasis: 40,
  loneMark: 20,
  bracket: 20,
  link: 120,
  footnote: 120,
  address: 210,
  addressCharacter: 1.5,
  mail: 80,
  tag: 90,
  angle: 3,
  code: 60,
  escape: 45,
  tab: 8,
  punctuation: 0.5,
} as const
/** Microseconds where the time grows quadratically, or with the text that each token scans. */
const SQUARE_US = {
  emphasis: 0.05,
  nesting: 0.2,
  brackets: 0.05,
  links: 0.25,
  images: 0.45,
  setextHeadings: 0.13,
  addressMarks: 0.01,
} as const
const SCANNED_US = { text: 0.035, label: 0.1, address: 0.16, wordInBracket: 0.045, parsed: 0.04 } as const

/** Tokens that the parser creates for a special character, where more than three. */
const PARTS: Partial<Record<string, number>> = { '&': 30, '\\': 12, '<': 12, '`': 12, '@': 12, h: 12, w: 12 }
const TAB_CODE = 9
const BLANK = /^[ \t]*$/
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const SETEXT = /^[ \t>]*(?:=+|-+)[ \t]*$/
/** The delimiter row of a table: only these characters, with a bar or a colon. */
const DELIMITER_ROW = /^[ \t>|:-]+$/
/** Lines that always interrupt a paragraph: for lists this is certain only at the margin. */
const NEW_PARAGRAPH = /^(?:[-*+][ \t]+[^ \t]|#{1,6}[ \t])/
/** The parser looks for a formula at each mark. */
const FORMULA = /\$|\\[([]/
/** The parser looks for the end of the address after each of them. */
const ADDRESS_MARKS = /[!"'()*,.:;<?_~\]&]{2,}/g
/** Characters with a meaning within a paragraph. */
const SPECIAL = new Set(' \n\r\t*_~[]`<\\&$@|hHwW')
const PUNCTUATION = /[!-/:-@[-`{-~]/
const [NOTHING, MARK, SPECIAL_MARK, SPECIAL_LETTER] = [0, 1, 2, 3]
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (!PUNCTUATION.test(char)) return SPECIAL.has(char) ? SPECIAL_LETTER : NOTHING
  return SPECIAL.has(char) ? SPECIAL_MARK : MARK
})

class Estimate {
  readonly #text: string
  readonly #hasFormulas: boolean
  #us = US.block as number
  #setextHeadings = 0
  #bars = 0
  #hasTable = false
  readonly #next = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
    this.#hasFormulas = FORMULA.test(text)
  }

  /** Stops at the last limit; Infinity for text that nests too deep. */
  microseconds(): number {
    const text = this.#text
    this.#us += text.length * US.character
    let fence: string | null = null
    let paragraph = 0
    for (let from = 0; from < text.length && this.#us <= MAX_UNASKED_MS * 1_000;) {
      const to = endOfLine(text, from)
      const line = text.slice(from, to)
      const next = text.startsWith('\r\n', to) ? to + 2 : to + 1
      if (fence !== null) {
        this.#us += US.codeLine
        if (closesFence(fence, line)) fence = null
        paragraph = next
      } else if (BLANK.test(line)) {
        this.#us += US.blankLine
        this.#inline(paragraph, from)
        paragraph = next
      } else {
        const opened = FENCE.exec(line)?.[1]
        if (opened !== undefined || NEW_PARAGRAPH.test(line)) {
          this.#inline(paragraph, from)
          paragraph = from
        }
        if (opened === undefined) this.#line(line)
        else {
          this.#us += US.codeBlock
          this.#inline(from, to)
          fence = opened
          paragraph = next
        }
      }
      from = next
    }
    this.#inline(paragraph, text.length)
    const cells = this.#bars * (this.#hasTable ? US.cell : US.bar)
    return this.#us + SQUARE_US.setextHeadings * this.#setextHeadings ** 2 + cells
  }

  #line(line: string): void {
    const { items, quotations, indentation, depth } = containersOf(line)
    this.#us += depth > MAX_DEPTH ? Infinity : US.line + items * US.listItem + quotations * US.quotation
    this.#us += Math.min(indentation, MAX_DEPTH) * US.indentation
    if (/^[ \t>]*#/.test(line)) this.#us += US.heading
    if (SETEXT.test(line)) {
      this.#setextHeadings++
      this.#us += US.heading
    }
    if (DELIMITER_ROW.test(line) && /[|:]/.test(line)) this.#hasTable = true
    if (line.endsWith('  ') || line.endsWith('\\')) this.#us += US.hardBreak
  }

  /** The content of a paragraph, or of several that cannot be separated here. */
  #inline(from: number, to: number): void {
    if (from >= to) return
    const text = this.#text
    const codeEnds = codeEndsIn(text, from, to)
    const open: number[] = []
    let [emphasis, nesting, brackets, links, images, addresses, wordStart] = [0, 0, 0, 0, 0, 0, from]
    /** Tokens parsed so far: an unmatched bracket makes the parser scan all of them. */
    let parsed = 0
    let us = 0
    const endWord = (at: number) => {
      if (addresses > 0) {
        us += (at - wordStart) * (addresses * SCANNED_US.address + US.addressCharacter)
        const runs = text.slice(wordStart, at).match(ADDRESS_MARKS) ?? []
        us += runs.reduce((sum, run) => sum + SQUARE_US.addressMarks * run.length ** 2, 0)
      }
      addresses = 0
      wordStart = at + 1
    }
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      const kind = code < 128 ? KINDS[code] : NOTHING
      if (kind === NOTHING) continue
      if (kind !== SPECIAL_LETTER) us += this.#hasFormulas ? US.escape : US.punctuation
      parsed += PARTS[text.charAt(at)] ?? 3
      const bracket = open.at(-1)
      if (bracket !== undefined) us += (at - bracket) * SCANNED_US.wordInBracket
      if (kind === MARK) continue
      switch (text.charAt(at)) {
        case ' ':
        case '\n':
        case '\r':
        case '\t':
          if (code === TAB_CODE) us += US.tab
          endWord(at)
          break
        case '*':
        case '_':
        case '~': {
          const end = endOfRun(text, at, to)
          const isAlone = isSpace(text, at - 1, from, to) && isSpace(text, end, from, to)
          if (isAlone) us += US.loneMark
          else {
            emphasis++
            nesting += Math.ceil((end - at) / 2) - 1
          }
          at = end - 1
          break
        }
        case '[':
          brackets++
          if (text.charAt(at - 1) === '!') images++
          if (text.charAt(at + 1) === '^') us += US.footnote
          open.push(at)
          break
        case ']': {
          brackets++
          const start = open.pop()
          if (start === undefined) us += parsed * SCANNED_US.parsed
          else us += (at - start) * SCANNED_US.label
          if (text.charAt(at + 1) === '(') links++
          break
        }
        case '`': {
          const end = endOfRun(text, at, to)
          const close = codeEnds(end - at, end)
          us += US.code
          if (close === undefined) us += (to - at) * SCANNED_US.text
          at = (close ?? end) - 1
          break
        }
        case '<':
          us += this.#tag(at, to)
          break
        case '\\':
          us += US.escape
          // Only punctuation can be escaped.
          if (PUNCTUATION.test(text.charAt(at + 1))) at++
          break
        case '&':
        case '$':
          us += US.escape
          break
        case '@':
          us += US.mail
          addresses++
          break
        case '|':
          this.#bars++
          break
        default:
          if (/^(?:https?:|www\.)/i.test(text.slice(at, at + 6))) {
            us += US.address
            addresses++
          }
      }
    }
    endWord(to)
    us += (emphasis + nesting) * US.emphasis + brackets * US.bracket + links * US.link
    us += SQUARE_US.emphasis * emphasis ** 2 + SQUARE_US.nesting * nesting ** 2
    us += SQUARE_US.brackets * brackets ** 2 + SQUARE_US.links * links ** 2 + SQUARE_US.images * images ** 2
    this.#us += us
  }

  /** A tag, a comment or an autolink: the parser scans for its end, which may be missing. */
  #tag(at: number, to: number): number {
    const text = this.#text
    if (!/[a-z/!?]/i.test(text.charAt(at + 1))) return US.angle
    const end = TAG_ENDS.find(([begins]) => text.startsWith(begins, at))?.[1] ?? '>'
    return US.tag + (Math.min(this.#indexOf(end, at), to) - at) * SCANNED_US.text
  }

  /** `indexOf` for ascending offsets: all calls together scan the text once. */
  #indexOf(substring: string, from: number): number {
    const known = this.#next.get(substring) ?? -1
    if (known >= from) return known
    const found = this.#text.indexOf(substring, from)
    const next = found < 0 ? Infinity : found
    this.#next.set(substring, next)
    return next
  }
}

const TAG_ENDS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const
