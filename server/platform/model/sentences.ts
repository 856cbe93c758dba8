/** A sentence (or a block of code, or a row of a table) of a text, and the heading that it stands under. */
export interface Sentence {
  text: string
  heading: string
  code: boolean
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const FENCE = /^ {0,3}(```|~~~)/
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/
const RULE = /^\s*([-*_=]\s*){3,}$|^\s*\|?[\s:|-]+\|[\s:|-]*$/

/** Splits a text, plain or Markdown, into its sentences; marks of headings, lists and quotes are taken off. */
export function sentences(text: string): Sentence[] {
  const found: Sentence[] = []
  let heading = ''
  let paragraph: string[] = []
  let code: string[] | null = null
  const flush = () => {
    for (const sentence of split(paragraph.join(' '))) found.push({ text: sentence, heading, code: false })
    paragraph = []
  }
  const flushCode = (lines: string[]) => {
    const block = lines.join('\n').trimEnd()
    if (block.trim()) found.push({ text: block, heading, code: true })
  }
  const lines = text.split(/\r\n|\r|\n/)
  for (const [index, raw] of lines.entries()) {
    if (FENCE.test(raw)) {
      flush()
      if (code) flushCode(code)
      code = code ? null : []
      continue
    }
    if (code) {
      code.push(raw)
      continue
    }
    const line = raw.replace(/^\s*(>\s?)+/, '')
    const title = HEADING.exec(line)
    if (title || ITEM.test(line) || !line.trim() || RULE.test(line) || line.trimStart().startsWith('|')) flush()
    // The row over a table's rule names its columns and says nothing.
    if (RULE.test(line) && line.includes('|')) found.pop()
    if (title) heading = plain(title[2] ?? '')
    else if (isTitle(lines, index)) heading = plain(line)
    else if (!RULE.test(line) && line.trim()) paragraph.push(plain(line.replace(ITEM, '')))
    if (line.trimStart().startsWith('|')) flush()
  }
  flush()
  if (code) flushCode(code)
  return found
}

const LONGEST_TITLE = 80

/** A short line that stands alone and ends like no sentence, with something below it: a heading whose marks are gone. */
function isTitle(lines: string[], index: number): boolean {
  const line = lines[index] ?? ''
  const standsAlone = !lines[index - 1]?.trim() && lines[index + 1]?.trim() === ''
  const goesOn = lines.slice(index + 2, index + 4).some((below) => below.trim())
  return standsAlone && goesOn && line.length <= LONGEST_TITLE && /[\p{L}\p{N}]$/u.test(line.trim()) && !ITEM.test(line)
}

/** The text without images, link targets and the bars of tables; emphasis and inline code stay as they were written. */
function plain(line: string): string {
  return line
    .replace(/!\[([^\]]{0,300})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/\[([^\]]{1,300})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/^\s*\||\|\s*$/g, '')
    .trim()
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
/** An abbreviation or a lone number is no end: “e.g.”, “Fig.”, “2.”. */
const NO_END = /(?:^|\s)(?:e\.g|i\.e|etc|cf|vs|fig|no|dr|mr|mrs|ms|prof|st|approx|\d{1,3})\.$/i

function split(paragraph: string): string[] {
  const whole: string[] = []
  for (const { segment } of segmenter.segment(paragraph)) {
    const last = whole.at(-1)
    if (last !== undefined && NO_END.test(last.trimEnd())) whole[whole.length - 1] = last + segment
    else whole.push(segment)
  }
  return whole.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
