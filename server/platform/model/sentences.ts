/** A sentence (or a block of code, or a row of a table) of a text, and the heading that it stands under. */
export interface Sentence {
  text: string
  heading: string
  code: boolean
}

/** Text is anybody's, so no pattern here may take more than linear time, and none is tried on a line of any length. */
const MARKED_LINE = 1000
/** What comes behind is left out: nobody reads that far for an answer. */
const MOST_SENTENCES = 4000

const HEADING = /^#{1,6} (.+)$/
const FENCE = /^ ?(```|~~~)/
const ITEM = /^ ?(?:[-*+•]|\d{1,3}[.)]) /
const QUOTE = /^ ?(?:> ?)+/

/** Splits a text, plain or Markdown, into its sentences; marks of headings, lists and quotes are taken off. */
export function sentences(text: string): Sentence[] {
  const found: Sentence[] = []
  let heading = ''
  let paragraph: string[] = []
  let code: string[] | null = null
  const flush = () => {
    for (const sentence of split(paragraph)) found.push({ text: sentence, heading, code: false })
    paragraph = []
  }
  const flushCode = (lines: string[]) => {
    const block = lines.join('\n').trimEnd()
    if (block.trim()) found.push({ text: block, heading, code: true })
  }
  const raws = text.split(/\r\n|\r|\n/)
  const lines = raws.map((raw) => raw.replace(/\s+/g, ' ').trimEnd())
  for (const [index, spaced] of lines.entries()) {
    if (found.length >= MOST_SENTENCES) return found
    if (FENCE.test(spaced)) {
      flush()
      if (code) flushCode(code)
      code = code ? null : []
    } else if (code) code.push(raws[index] ?? '')
    else if (spaced.length > MARKED_LINE) paragraph.push(spaced)
    else {
      const line = spaced.replace(QUOTE, '').trim()
      const title = HEADING.exec(line)?.[1] ?? (isTitle(lines, index) ? line : null)
      const isRow = line.startsWith('|')
      if (title !== null || isRow || isRule(line) || ITEM.test(line)) flush()
      // The row over a table's rule names its columns and says nothing.
      if (isRule(line) && line.includes('|')) found.pop()
      if (title !== null) heading = plain(title.replace(/ #+$/, ''))
      else if (!isRule(line)) paragraph.push(plain(line.replace(ITEM, '')))
      if (isRow) flush()
    }
  }
  flush()
  if (code) flushCode(code)
  return found
}

/** An empty line, a line drawn across, or the one below the names of a table's columns. */
const isRule = (line: string): boolean =>
  line === '' || /^[-*_= ]{3,}$/.test(line) || (/^[-:| ]+$/.test(line) && line.includes('|'))

const LONGEST_TITLE = 80

/** A short line that stands alone and ends like no sentence, with something below it: a heading whose marks are gone. */
function isTitle(lines: string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.length > LONGEST_TITLE || !/[\p{L}\p{N}]$/u.test(line) || ITEM.test(line)) return false
  const standsAlone = !lines[index - 1]?.trim() && lines[index + 1]?.trim() === ''
  return standsAlone && lines.slice(index + 2, index + 4).some((below) => below.trim())
}

/** The text without images, link targets and the bars of tables; emphasis and inline code stay as they were written. */
const plain = (line: string): string =>
  line
    .replace(/!\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\[([^\]]{1,300})\]\([^)]{0,300}\)/g, '$1')
    .replace(/^\||\|$/g, '')
    .trim()

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
/** An abbreviation or a lone number is no end: “e.g.”, “Fig.”, “2.”. */
const NO_END = /(?:^|\s)(?:e\.g|i\.e|etc|cf|vs|fig|no|dr|mr|mrs|ms|prof|st|approx|\d{1,3})\.$/i
const LONGEST_ABBREVIATION = 12

function split(paragraph: string[]): string[] {
  if (paragraph.length === 0) return []
  const whole: string[][] = []
  let goesOn = false
  for (const { segment } of segmenter.segment(paragraph.join(' '))) {
    if (goesOn) whole.at(-1)?.push(segment)
    else whole.push([segment])
    goesOn = NO_END.test(segment.slice(-LONGEST_ABBREVIATION).trimEnd())
  }
  return whole.map((parts) => parts.join('').trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
