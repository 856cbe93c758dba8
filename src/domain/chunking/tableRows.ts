import { type Chunk, type SplitRule, splitIntoChunks } from './splitText.ts'
import type { CountTokens } from './tokenCounter.ts'

/**
 * Splits the lines of `toReadableLines` into chunks without cutting inside a row: one row per chunk, or as many as
 * `max_tokens` allows. Only a row that is longer than a chunk is cut.
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
