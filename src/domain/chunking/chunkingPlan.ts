import { decodeSeparator, type SplitRule } from './splitText.ts'
import type { CleaningRule } from './cleanText.ts'

export type DocumentFormKind = 'text_model' | 'hierarchical_model' | 'qa_model'

/** A process rule as it is stored and answered: upstream's words, everything filled in. */
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

/** Splits by size alone, 500 tokens with 50 repeated, spaces removed. What it says of a separator is what it prefers. */
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

/** What a rule is where it does not say so: of the segments, and of their children. */
export const DEFAULT_PARENT_SEGMENTATION: Segmentation = { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 }
export const DEFAULT_CHILD_SEGMENTATION: Segmentation = { separator: '\n', max_tokens: 200, chunk_overlap: 0 }

/** How a document of this form is made into chunks: parents only where the form has children. */
export interface ChunkingPlan {
  cleaning: CleaningRule
  splitRule: SplitRule
  /** Null where the chunks have no children. */
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
  if (form !== 'hierarchical_model') return { cleaning, splitRule, childSplitRule: null }
  const childSplitRule = toSplitRule(rules.subchunk_segmentation ?? DEFAULT_CHILD_SEGMENTATION)
  if (rules.parent_mode === 'full-doc')
    return {
      cleaning,
      splitRule: { separator: null, max_tokens: FULL_DOC_MAX_TOKENS, chunk_overlap: 0 },
      childSplitRule,
    }
  return { cleaning, splitRule: { ...splitRule, chunk_overlap: 0 }, childSplitRule }
}

const toSplitRule = ({ separator, max_tokens, chunk_overlap }: Segmentation): SplitRule => ({
  separator: decodeSeparator(separator),
  max_tokens,
  chunk_overlap,
})
