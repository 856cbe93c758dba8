/** A sentence (or a block of code, or a row of a table) of a text, and the heading that it stands under. */
export interface Sentence {
  text: string
  heading: string
  code: boolean
}

/** Text is anybody's, so no pattern here may take more than linear time, and none is tried on a line of any length. */
const MAX_MARKDOWN_LINE_CHARS = 1000
/** What comes behind is left out: nobody reads that far for an answer. */
const MAX_SENTENCES = 4000

const HEADING_PATTERN = /^#{1,6} (.+)$/
const FENCE_PATTERN = /^ ?(```|~~~)/
const ITEM_PATTERN = /^ ?(?:[-*+•]|\d{1,3}[.)]) /
const QUOTE_PATTERN = /^ ?(?:> ?)+/

/** Splits a text, plain or Markdown, into its sentences; marks of headings, lists and quotes are taken off. */
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
      // The row over a table's rule names its columns and says nothing.
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

/** An empty line, a line drawn across, or the one below the names of a table's columns. */
const isRule = (line: string): boolean =>
  line === '' || /^[-*_= ]{3,}$/.test(line) || (/^[-:| ]+$/.test(line) && line.includes('|'))

const MAX_TITLE_CHARS = 80

/** A short line that stands alone and ends like no sentence, with something below it: a heading whose marks are gone. */
function isPlainHeading(lines: string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.length > MAX_TITLE_CHARS || !/[\p{L}\p{N}]$/u.test(line) || ITEM_PATTERN.test(line)) return false
  const standsAlone = !lines[index - 1]?.trim() && lines[index + 1]?.trim() === ''
  return standsAlone && lines.slice(index + 2, index + 4).some((below) => below.trim())
}

/** The text without images, link targets and the bars of tables; emphasis and inline code stay as they were written. */
const toPlainText = (line: string): string =>
  line
    .replace(/!\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\[([^\]]{1,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/^\||\|$/g, '')
    .trim()

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
/** An abbreviation or a lone number is no end: “e.g.”, “Fig.”, “2.”. */
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
