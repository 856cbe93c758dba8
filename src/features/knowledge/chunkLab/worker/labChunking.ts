import {
  AUTOMATIC_RULE,
  DEFAULT_CHILD_SEGMENTATION,
  type DocumentFormKind,
  DEFAULT_PARENT_SEGMENTATION,
  type ChunkingPlan,
  toChunkingPlan,
  type Segmentation,
} from '#domain/chunking/chunkingPlan.ts'
import { type Chunk, splitIntoChunks } from '#domain/chunking/splitText.ts'
import { splitRowsIntoChunks } from '#domain/chunking/tableRows.ts'
import type { CountTokens } from '#domain/chunking/tokenCounter.ts'

/** The rule, as in the body of operation 3; missing fields use the built-in platform's defaults. */
export interface ChunkSetting {
  doc_form: DocumentFormKind
  mode: 'automatic' | 'custom' | 'hierarchical'
  remove_extra_spaces: boolean
  remove_urls_emails: boolean
  segmentation: Segmentation
  parent_mode: 'paragraph' | 'full-doc'
  subchunk_segmentation: Segmentation
}

/** How the text of a file is laid out: the lines of a table are rows, which are not cut. */
export type TextLayout = 'text' | 'table'

export const defaultChunkSetting: ChunkSetting = {
  doc_form: 'text_model',
  mode: 'custom',
  remove_extra_spaces: true,
  remove_urls_emails: false,
  segmentation: { ...DEFAULT_PARENT_SEGMENTATION, chunk_overlap: 50 },
  parent_mode: 'paragraph',
  subchunk_segmentation: DEFAULT_CHILD_SEGMENTATION,
}

/** One segment to be, its places counted in the text that was tidied; children lie inside it. */
export interface LabChunk extends Chunk {
  children: readonly LabChildChunk[]
  warnings: readonly ChunkWarning[]
}
interface LabChildChunk extends Chunk {
  warnings: readonly ChunkWarning[]
}

export function toLabPlan(setting: ChunkSetting): ChunkingPlan {
  const { doc_form, mode, parent_mode, segmentation, subchunk_segmentation } = setting
  const pre_processing_rules = (['remove_extra_spaces', 'remove_urls_emails'] as const).map((id) => ({
    id,
    enabled: setting[id],
  }))
  if (mode === 'automatic') return toChunkingPlan(AUTOMATIC_RULE, doc_form)
  const rules = { pre_processing_rules, segmentation, parent_mode, subchunk_segmentation }
  return toChunkingPlan({ mode, rules }, doc_form)
}

/**
 * Splits a cleaned text by a plan, segment by segment, so that the first ones are available early. `countSize`
 * measures what `max_tokens` limits; `countTokens` is for the warning about embedding models.
 */
export function* chunkWithWarnings(
  text: string,
  { splitRule, isRowPerChunk, ...plan }: ChunkingPlan,
  countSize: CountTokens,
  countTokens: CountTokens = countSize,
  layout: TextLayout = 'text',
): Generator<LabChunk> {
  const isTable = layout === 'table'
  const childSplitRule =
    plan.childSplitRule && (isTable ? { ...plan.childSplitRule, separator: '\n' } : plan.childSplitRule)
  const pieces = isTable
    ? splitRowsIntoChunks(text, splitRule, isRowPerChunk, countSize)
    : splitIntoChunks(text, splitRule, countSize)
  const findWarnings = (inside: string, chunk: Chunk, max: number, isIndexed: boolean) =>
    findChunkWarnings(inside, chunk, max, isIndexed && isGiant(inside, chunk, countSize, countTokens))
  for (const chunk of pieces) {
    const inside = text.slice(chunk.start, chunk.end)
    const children = !childSplitRule
      ? []
      : [...splitIntoChunks(inside, childSplitRule, countSize)].map((piece) => ({
          start: chunk.start + piece.start,
          end: chunk.start + piece.end,
          tokens: piece.tokens,
          warnings: findWarnings(inside, piece, childSplitRule.max_tokens, true),
        }))
    yield { ...chunk, children, warnings: findWarnings(text, chunk, splitRule.max_tokens, childSplitRule === null) }
  }
}

/** Whether a chunk has more tokens than many embedding models read. Tokens are hardly ever more than characters. */
function isGiant(text: string, { start, end, tokens: size }: Chunk, countSize: CountTokens, countTokens: CountTokens) {
  if (size <= GIANT_CHUNK_TOKENS) return false
  return countSize === countTokens || countTokens(text.slice(start, end)) > GIANT_CHUNK_TOKENS
}

export const CHUNK_WARNINGS = ['over', 'giant', 'empty', 'sentence', 'table'] as const
export type ChunkWarning = (typeof CHUNK_WARNINGS)[number]

/** Many embedding models read less than this of a text and drop the rest. */
const GIANT_CHUNK_TOKENS = 2000

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
