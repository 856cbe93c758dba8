import { type Chunk, type SplitRule, splitIntoChunks } from './splitText.ts'
import type { CountTokens } from './tokenCounter.ts'

/** The rows of a table as lines that can be read alone: each value after the name of its column, one row per line. */
export function toReadableLines([heading = [], ...rows]: readonly (readonly string[])[]): string {
  if (rows.length === 0) return heading.map(toOneLine).join('; ')
  return rows
    .map((row) =>
      row
        .map((value, index) =>
          heading[index] ? `${toOneLine(heading[index])}: ${toOneLine(value)}` : toOneLine(value),
        )
        .join('; '),
    )
    .join('\n')
}

/** A line end inside a cell would look like the end of its row. */
const toOneLine = (cell: string): string => cell.trim().replace(/\s*[\r\n]+\s*/g, ' ')

/** Whether the columns of a table are questions and answers, by the names of the first two. */
export const isQuestionAnswerHeading = ([first = '', second = '']: readonly string[]): boolean =>
  /^(questions?|q|问题|問題|質問)$/i.test(first.trim()) && /^(answers?|a|答案|回答)$/i.test(second.trim())

/**
 * Splits the lines of `toReadableLines` into chunks without cutting inside a row: one row per chunk, or as many as
 * `max_tokens` allows. Only a row that is longer than a whole chunk is cut.
 */
export function* splitRowsIntoChunks(
  text: string,
  splitRule: SplitRule,
  isRowPerChunk: boolean,
  countTokens: CountTokens,
): Generator<Chunk> {
  let open: Chunk | null = null
  for (const row of listRows(text)) {
    const joined: Chunk = open
      ? { start: open.start, end: row.end, tokens: countTokens(text.slice(open.start, row.end)) }
      : { ...row, tokens: countTokens(text.slice(row.start, row.end)) }
    if (open && (isRowPerChunk || joined.tokens > splitRule.max_tokens)) {
      yield open
      open = { ...row, tokens: countTokens(text.slice(row.start, row.end)) }
    } else open = joined
    if (open.tokens <= splitRule.max_tokens) continue
    const sizeOnly = { ...splitRule, separator: null }
    for (const piece of splitIntoChunks(text.slice(row.start, row.end), sizeOnly, countTokens))
      yield { start: row.start + piece.start, end: row.start + piece.end, tokens: piece.tokens }
    open = null
  }
  if (open) yield open
}

function* listRows(text: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: line } of text.matchAll(/[^\n]+/g)) {
    const content = line.trim()
    if (content === '') continue
    const start = index + line.indexOf(content)
    yield { start, end: start + content.length }
  }
}
