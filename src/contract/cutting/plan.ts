import { decodeSeparator, type Cut } from './split.ts'
import type { Tidying } from './tidy.ts'

export type DocForm = 'text_model' | 'hierarchical_model' | 'qa_model'

/** A process rule as it is stored and answered: upstream's words, everything filled in. */
export interface Rule {
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
export const AUTOMATIC: Rule = {
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
export const PARENT: Segmentation = { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 }
export const CHILD: Segmentation = { separator: '\n', max_tokens: 200, chunk_overlap: 0 }

/** How a document of this form is made into chunks: parents only where the form has children. */
export interface Plan {
  tidying: Tidying
  cut: Cut
  /** Null where the chunks have no children. */
  childCut: Cut | null
}

/** Tokens of the parent in `full-doc` mode; a longer document has several parents, so that no text is lost. */
export const FULL_DOC_TOKENS = 10_000

export function planOf({ mode, rules }: Rule, form: DocForm): Plan {
  const enabled = (id: string) => rules.pre_processing_rules.some((rule) => rule.id === id && rule.enabled)
  const tidying = {
    remove_extra_spaces: enabled('remove_extra_spaces'),
    remove_urls_emails: enabled('remove_urls_emails'),
  }
  const cut = { ...cutOf(rules.segmentation), ...(mode === 'automatic' ? { separator: null } : {}) }
  if (form !== 'hierarchical_model') return { tidying, cut, childCut: null }
  const childCut = cutOf(rules.subchunk_segmentation ?? CHILD)
  if (rules.parent_mode === 'full-doc')
    return { tidying, cut: { separator: null, max_tokens: FULL_DOC_TOKENS, chunk_overlap: 0 }, childCut }
  return { tidying, cut: { ...cut, chunk_overlap: 0 }, childCut }
}

const cutOf = ({ separator, max_tokens, chunk_overlap }: Segmentation): Cut => ({
  separator: decodeSeparator(separator),
  max_tokens,
  chunk_overlap,
})
