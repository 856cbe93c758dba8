import type { Chunk } from '#contract/cutting/split.ts'

export const WARNINGS = ['over', 'giant', 'empty', 'sentence', 'table'] as const
export type Warning = (typeof WARNINGS)[number]

/** Many embedding models read less than this of a text and drop the rest. */
export const GIANT_TOKENS = 2000

/** What a reader of the chunk should know. `isIndexed` is false for a parent: only its children are found. */
export function warningsOf(text: string, chunk: Chunk, max_tokens: number, isIndexed: boolean): Warning[] {
  const { start, end, tokens } = chunk
  const found: Warning[] = []
  if (tokens > max_tokens) found.push('over')
  if (isIndexed && tokens > GIANT_TOKENS) found.push('giant')
  if (!/[\p{L}\p{N}]/u.test(text.slice(start, end))) found.push('empty')
  if (isTableCut(text, end)) found.push('table')
  else if (isSentenceCut(text, end)) found.push('sentence')
  return found
}

const SENTENCE_END = /[.!?…;:。！？；．]["'’”」』）)\]]*$/u

/** The text goes on in the same line, and nothing ended a sentence. */
function isSentenceCut(text: string, end: number): boolean {
  if (SENTENCE_END.test(text.slice(Math.max(0, end - 8), end))) return false
  const after = text.slice(end, end + 80)
  const next = /^[^\S\n]*(\S)/.exec(after)
  return next !== null && /[\p{L}\p{N}]/u.test(next[1] ?? '')
}

const ROW = /^[^\S\n]*\|.*\|[^\S\n]*$|\t.*\t/

/** The last line and the line after it are rows of one table. */
function isTableCut(text: string, end: number): boolean {
  const from = Math.max(text.lastIndexOf('\n', end - 1) + 1, end - 2000)
  const next = /^[^\n]{0,2000}\n([^\n]{1,2000})/.exec(text.slice(end, end + 4002))
  return ROW.test(text.slice(from, end)) && next !== null && ROW.test(next[1] ?? '')
}
