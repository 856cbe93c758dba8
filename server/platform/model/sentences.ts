import { detectLanguage, isStopWord, type Language } from './language.ts'
import { toSearchKey } from '#domain/searchKey.ts'

/** A sentence (or a code block, or a row of a table) of a text, and its heading. */
export interface Sentence {
  text: string
  heading: string
  code: boolean
}

/** Text is untrusted: every pattern here is linear, and the length of a line is limited before matching. */
const MAX_MARKDOWN_LINE_CHARS = 1000
/** Longer text is truncated: an answer does not need it. */
const MAX_SENTENCES = 4000

const HEADING_PATTERN = /^#{1,6} (.+)$/
const FENCE_PATTERN = /^ ?(```|~~~)/
const ITEM_PATTERN = /^ ?(?:[-*+•]|\d{1,3}[.)]) /
const QUOTE_PATTERN = /^ ?(?:> ?)+/

/**
 * Splits a plain or Markdown text into sentences; markers of headings, lists, quotes and references are removed.
 * `language` is that of the text: it distinguishes ordinals from numbers, and knows the common words that begin a
 * sentence.
 */
export function splitSentences(text: string, language = detectLanguage(text)): Sentence[] {
  const sentenceList: Sentence[] = []
  let heading = ''
  let paragraph: string[] = []
  let code: string[] | null = null
  const flush = () => {
    for (const sentence of splitParagraph(paragraph, language))
      sentenceList.push({ text: sentence, heading, code: false })
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

/** A heading without a marker: a short line on its own that does not end like a sentence, followed by text. */
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
/** The end of a sentence in text with blanks around every punctuation mark; Unicode has none before a small letter. */
const SPACED_STOP = /(?<= [.!?]) /
/**
 * References of the text to its own sources: in an answer they would look like its citations. Inline code is
 * preserved.
 */
const REFERENCE_MARK = /(`[^`]{0,300}`)| ?\[\d{1,3}\]/g

/** Abbreviations by what follows them; lower case, without the last stop. */
const ABBREVIATIONS_BEFORE_NAME = new Set(
  `adm bzw capt cf cmdr col d.h dr e.g fr gen gov hon hr i.e lt mlle mme mr mrs ms pres prof rep rev sen sgt sog sra srta st
  ste v vgl vs z.b акад ген д-р им проф св т.е ул`.split(/\s+/),
)
const ABBREVIATIONS_BEFORE_NUMBER = new Set(
  `abs apr art aug bd ca ch dec eq feb fig figs jan kap no nos nov nr oct p pág pp sec sept vol гл рис ст стр табл`.split(
    /\s+/,
  ),
)
const ABBREVIATIONS = new Set(
  `approx assn bros chr co corp dept esq etc ft inc jh jhd jr ltd mt ph.d sr univ usw uu вв гг др млн млрд пр руб т.д т.п тыс`.split(
    /\s+/,
  ),
)
/** Single letters with stops: “J.”, “U.S.”, “г.”. */
const INITIALS = /^\p{L}(?:\.\p{L})*$/u
const MAX_ABBREVIATION_CHARS = 12
const LAST_WORD = /(?:^|[\s([{„“"'«‘])([\p{L}\p{M}\p{N}.-]+)\.$/u
const FIRST_WORD = /^[^\p{L}\p{N}]{0,3}([\p{L}\p{M}]+)(?![\p{L}\p{M}.])/u
/** In these languages a number with a stop is an ordinal: “am 3. Oktober”. */
const ORDINAL_STOP_LANGUAGES: ReadonlySet<Language> = new Set(['cs', 'da', 'de', 'fi', 'hu', 'nb', 'pl', 'tr'])

function splitParagraph(paragraph: string[], language: Language): string[] {
  const sentenceParts: string[][] = []
  for (const part of paragraph.join(' ').replace(REFERENCE_MARK, '$1').split(SPACED_STOP)) {
    let before: string | null = null
    for (const segment of toSegments(part)) {
      if (before !== null && continuesSentence(segment, before, language)) sentenceParts.at(-1)?.push(segment)
      else sentenceParts.push([segment])
      before = segment
    }
  }
  return sentenceParts
    .flatMap((parts) => splitUnmarkedSentences(parts.join('').trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Segments by the rules of Unicode, except that an opening bracket or quotation mark belongs to what follows it. */
function toSegments(text: string): string[] {
  const segments: string[] = []
  let opening = ''
  for (const { segment } of segmenter.segment(text)) {
    const extended = opening + segment
    opening = /[\p{Ps}\p{Pi}]{1,4}$/u.exec(extended.slice(-4))?.[0] ?? ''
    if (extended.length > opening.length) segments.push(extended.slice(0, extended.length - opening.length))
  }
  return opening ? [...segments, opening] : segments
}

/** Whether the stop before a segment belongs to an abbreviation or an ordinal, or a quotation continues with its verb. */
function continuesSentence(segment: string, before: string, language: Language): boolean {
  if (/[」』]$/.test(before)) return /^(?:と|って|など)/.test(segment)
  const last = LAST_WORD.exec(before.trimEnd().slice(-MAX_ABBREVIATION_CHARS))?.[1]
  if (!last) return false
  const word = last.toLowerCase()
  if (ABBREVIATIONS_BEFORE_NAME.has(word)) return true
  if (ABBREVIATIONS_BEFORE_NUMBER.has(word)) return /^\p{N}/u.test(segment)
  const mayContinue = /^\d{1,2}$/.test(word)
    ? ORDINAL_STOP_LANGUAGES.has(language) || before.trim() === `${last}.`
    : ABBREVIATIONS.has(word) || INITIALS.test(word)
  // A common word in a new segment has its capital from the beginning of a sentence: “in the U.S. The”.
  return mayContinue && !isStopWord(toSearchKey(FIRST_WORD.exec(segment)?.[1] ?? ''), language)
}

/** Thai and Lao do not mark the ends of sentences; their blanks separate clauses, numbers and foreign names. */
const UNMARKED_LETTER = /[\p{Script=Thai}\p{Script=Lao}]/u
const MIN_CLAUSES_CHARS = 100

function splitUnmarkedSentences(text: string): string[] {
  if (text.length < 2 * MIN_CLAUSES_CHARS || !UNMARKED_LETTER.test(text)) return [text]
  const clauses: string[][] = []
  let length = Infinity
  let before = ''
  for (const run of text.split(' ')) {
    const isBetweenClauses =
      length >= MIN_CLAUSES_CHARS && [before.at(-1), run[0]].every((letter) => UNMARKED_LETTER.test(letter ?? ''))
    if (clauses.length === 0 || isBetweenClauses) {
      clauses.push([])
      length = 0
    }
    clauses.at(-1)?.push(run)
    length += run.length + 1
    before = run
  }
  return clauses.map((runs) => runs.join(' '))
}
