import { decodeSeparator, type SplitRule } from './splitText.ts'
import type { CleaningRule } from './cleanText.ts'

export type DocumentFormKind = 'text_model' | 'hierarchical_model' | 'qa_model'

/** A process rule as it is stored and returned: upstream's field names, with all defaults applied. */
export interface StoredProcessRule {
  mode: 'automatic' | 'custom' | 'hierarchical'
  rules: {
    pre_processing_rules: { id: string; enabled: boolean }[]
    segmentation: Segmentation
    parent_mode?: 'full-doc' | 'paragraph'
    subchunk_segmentation?: Segmentation
  }
}
export interface Segmentation {
  separator: string
  max_tokens: number
  chunk_overlap: number
}

/** Splits by size alone, 500 tokens with an overlap of 50, spaces removed. Its separator is only a preference. */
export const AUTOMATIC_RULE: StoredProcessRule = {
  mode: 'automatic',
  rules: {
    pre_processing_rules: [
      { id: 'remove_extra_spaces', enabled: true },
      { id: 'remove_urls_emails', enabled: false },
    ],
    segmentation: { separator: '\n', max_tokens: 500, chunk_overlap: 50 },
  },
}

/** Defaults of a rule: of the segments, and of their children. */
export const DEFAULT_PARENT_SEGMENTATION: Segmentation = { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 }
export const DEFAULT_CHILD_SEGMENTATION: Segmentation = { separator: '\n', max_tokens: 200, chunk_overlap: 0 }

/** Chunking of a document of this form: parents only if the form has children. */
export interface ChunkingPlan {
  cleaning: CleaningRule
  splitRule: SplitRule
  /** Whether each row of a table is a chunk; else a chunk has as many complete rows as fit. */
  isRowPerChunk: boolean
  /** Null if the chunks have no children. */
  childSplitRule: SplitRule | null
}

/** Tokens of the parent in `full-doc` mode; a longer document has several parents, so that no text is lost. */
export const FULL_DOC_MAX_TOKENS = 10_000

export function toChunkingPlan({ mode, rules }: StoredProcessRule, form: DocumentFormKind): ChunkingPlan {
  const enabled = (id: string) => rules.pre_processing_rules.some((rule) => rule.id === id && rule.enabled)
  const cleaning = {
    remove_extra_spaces: enabled('remove_extra_spaces'),
    remove_urls_emails: enabled('remove_urls_emails'),
  }
  const splitRule = { ...toSplitRule(rules.segmentation), ...(mode === 'automatic' ? { separator: null } : {}) }
  const isRowPerChunk = mode === 'automatic' || splitRule.separator === '\n'
  if (form !== 'hierarchical_model') return { cleaning, splitRule, isRowPerChunk, childSplitRule: null }
  const childSplitRule = toSplitRule(rules.subchunk_segmentation ?? DEFAULT_CHILD_SEGMENTATION)
  const isFullDoc = rules.parent_mode === 'full-doc'
  const parentSize = isFullDoc ? { separator: null, max_tokens: FULL_DOC_MAX_TOKENS } : splitRule
  const parentSplitRule = { ...parentSize, chunk_overlap: 0 }
  return { cleaning, splitRule: parentSplitRule, isRowPerChunk: isRowPerChunk && !isFullDoc, childSplitRule }
}

const toSplitRule = ({ separator, max_tokens, chunk_overlap }: Segmentation): SplitRule => ({
  // Line ends as `cleanText` leaves them.
  separator: decodeSeparator(separator).replace(/\r\n?/g, '\n'),
  max_tokens,
  chunk_overlap,
})
