import type { Chunk } from '#domain/chunking/splitText.ts'

export const CHUNK_WARNINGS = ['over', 'giant', 'empty', 'sentence', 'table'] as const
export type ChunkWarning = (typeof CHUNK_WARNINGS)[number]

/** Many embedding models read less than this of a text and drop the rest. */
export const GIANT_CHUNK_TOKENS = 2000

/** What a reader of the chunk should know. `isGiant`: an embedding model may read only a part of it. */
export function findChunkWarnings(text: string, chunk: Chunk, max_tokens: number, isGiant: boolean): ChunkWarning[] {
  const { start, end, tokens } = chunk
  const warnings: ChunkWarning[] = []
  if (tokens > max_tokens) warnings.push('over')
  if (isGiant) warnings.push('giant')
  if (!/[\p{L}\p{N}]/u.test(text.slice(start, end))) warnings.push('empty')
  if (isTableCut(text, end)) warnings.push('table')
  else if (isSentenceCut(text, end)) warnings.push('sentence')
  return warnings
}

const SENTENCE_END_PATTERN = /[.!?…;:。！？；．]["'’”」』）)\]]*$/u

/** The text goes on in the same line, and nothing ended a sentence. */
function isSentenceCut(text: string, end: number): boolean {
  if (SENTENCE_END_PATTERN.test(text.slice(Math.max(0, end - 8), end))) return false
  const after = text.slice(end, end + 80)
  const next = /^[^\S\n]*(\S)/.exec(after)
  return next !== null && /[\p{L}\p{N}]/u.test(next[1] ?? '')
}

const TABLE_ROW_PATTERN = /^[^\S\n]*\|.*\|[^\S\n]*$|\t.*\t/

/** The last line and the line after it are rows of one table. */
function isTableCut(text: string, end: number): boolean {
  const from = Math.max(text.lastIndexOf('\n', end - 1) + 1, end - 2000)
  const next = /^[^\n]{0,2000}\n([^\n]{1,2000})/.exec(text.slice(end, end + 4002))
  return TABLE_ROW_PATTERN.test(text.slice(from, end)) && next !== null && TABLE_ROW_PATTERN.test(next[1] ?? '')
}
