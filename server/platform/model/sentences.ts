/** A sentence (or a code block, or a row of a table) of a text, and its heading. */
export interface Sentence {
  text: string
  heading: string
  code: boolean
}

/** Text is untrusted, so every pattern here is linear, and the length of a line is limited before matching. */
const MAX_MARKDOWN_LINE_CHARS = 1000
/** Longer text is truncated: an answer does not need it. */
const MAX_SENTENCES = 4000

const HEADING_PATTERN = /^#{1,6} (.+)$/
const FENCE_PATTERN = /^ ?(```|~~~)/
const ITEM_PATTERN = /^ ?(?:[-*+•]|\d{1,3}[.)]) /
const QUOTE_PATTERN = /^ ?(?:> ?)+/

/** Splits a plain or Markdown text into sentences; markers of headings, lists and quotes are removed. */
export function splitSentences(text: string): Sentence[] {
  const sentenceList: Sentence[] = []
  let heading = ''
  let paragraph: string[] = []
  let code: string[] | null = null
  const flush = () => {
    for (const sentence of splitParagraph(paragraph)) sentenceList.push({ text: sentence, heading, code: false })
    paragraph = []
  }
  const flushCode = (lines: string[]) => {
    const block = lines.join('\n').trimEnd()
    if (block.trim()) sentenceList.push({ text: block, heading, code: true })
  }
  const rawLines = text.split(/\r\n|\r|\n/)
  const lines = rawLines.map((raw) => raw.replace(/\s+/g, ' ').trimEnd())
  for (const [index, spaced] of lines.entries()) {
    if (sentenceList.length >= MAX_SENTENCES) return sentenceList
    if (FENCE_PATTERN.test(spaced)) {
      flush()
      if (code) flushCode(code)
      code = code ? null : []
    } else if (code) code.push(rawLines[index] ?? '')
    else if (spaced.length > MAX_MARKDOWN_LINE_CHARS) paragraph.push(spaced)
    else {
      const line = spaced.replace(QUOTE_PATTERN, '').trim()
      const title = HEADING_PATTERN.exec(line)?.[1] ?? (isPlainHeading(lines, index) ? line : null)
      const isRow = line.startsWith('|')
      if (title !== null || isRow || isRule(line) || ITEM_PATTERN.test(line)) flush()
      // The header row of a table contains no statement.
      if (isRule(line) && line.includes('|')) sentenceList.pop()
      if (title !== null) heading = toPlainText(title.replace(/ #+$/, ''))
      else if (!isRule(line)) paragraph.push(toPlainText(line.replace(ITEM_PATTERN, '')))
      if (isRow) flush()
    }
  }
  flush()
  if (code) flushCode(code)
  return sentenceList
}

/** An empty line, a horizontal rule, or the delimiter row of a table. */
const isRule = (line: string): boolean =>
  line === '' || /^[-*_= ]{3,}$/.test(line) || (/^[-:| ]+$/.test(line) && line.includes('|'))

const MAX_TITLE_CHARS = 80

/** A heading without its marker: a short line on its own that does not end like a sentence, with text below it. */
function isPlainHeading(lines: string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.length > MAX_TITLE_CHARS || !/[\p{L}\p{N}]$/u.test(line) || ITEM_PATTERN.test(line)) return false
  const standsAlone = !lines[index - 1]?.trim() && lines[index + 1]?.trim() === ''
  return standsAlone && lines.slice(index + 2, index + 4).some((below) => below.trim())
}

/** The text without images, link targets and the bars of tables; emphasis and inline code are preserved. */
const toPlainText = (line: string): string =>
  line
    .replace(/!\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\[([^\]]{1,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/^\||\|$/g, '')
    .trim()

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
/** An abbreviation or a lone number does not end a sentence: “e.g.”, “Fig.”, “2.”. */
const ABBREVIATION_END = /(?:^|\s)(?:e\.g|i\.e|etc|cf|vs|fig|no|dr|mr|mrs|ms|prof|st|approx|\d{1,3})\.$/i
const MAX_ABBREVIATION_CHARS = 12

function splitParagraph(paragraph: string[]): string[] {
  if (paragraph.length === 0) return []
  const sentenceParts: string[][] = []
  let isContinued = false
  for (const { segment } of segmenter.segment(paragraph.join(' '))) {
    if (isContinued) sentenceParts.at(-1)?.push(segment)
    else sentenceParts.push([segment])
    isContinued = ABBREVIATION_END.test(segment.slice(-MAX_ABBREVIATION_CHARS).trimEnd())
  }
  return sentenceParts.map((parts) => parts.join('').trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
