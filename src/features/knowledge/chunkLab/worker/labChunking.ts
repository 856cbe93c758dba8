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
import { type ChunkWarning, findChunkWarnings, GIANT_CHUNK_TOKENS } from './chunkWarnings.ts'

/** What decides the cut, as the body of operation 3 has it; what is left out is the built-in platform's default. */
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
export interface LabChildChunk extends Chunk {
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
 * Splits a cleaned text by a plan, segment by segment, so that the first are there before the last are made. `countSize`
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
