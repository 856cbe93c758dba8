import { AUTOMATIC, CHILD, type DocForm, PARENT, type Plan, planOf, type Segmentation } from '#contract/cutting/plan.ts'
import { type Chunk, split } from '#contract/cutting/split.ts'
import type { CountTokens } from '#contract/cutting/tokens.ts'
import { type Warning, warningsOf } from './warnings.ts'

/** What decides the cut, as the body of operation 3 has it; what is left out is the built-in platform's default. */
export interface Setting {
  doc_form: DocForm
  mode: 'automatic' | 'custom' | 'hierarchical'
  remove_extra_spaces: boolean
  remove_urls_emails: boolean
  segmentation: Segmentation
  parent_mode: 'paragraph' | 'full-doc'
  subchunk_segmentation: Segmentation
}

export const usualSetting: Setting = {
  doc_form: 'text_model',
  mode: 'custom',
  remove_extra_spaces: true,
  remove_urls_emails: false,
  segmentation: { ...PARENT, chunk_overlap: 50 },
  parent_mode: 'paragraph',
  subchunk_segmentation: CHILD,
}

/** One segment to be, its places counted in the text that was tidied; children lie inside it. */
export interface LabChunk extends Chunk {
  children: readonly LabPiece[]
  warnings: readonly Warning[]
}
export interface LabPiece extends Chunk {
  warnings: readonly Warning[]
}

export function planFor(setting: Setting): Plan {
  const { doc_form, mode, parent_mode, segmentation, subchunk_segmentation } = setting
  const pre_processing_rules = (['remove_extra_spaces', 'remove_urls_emails'] as const).map((id) => ({
    id,
    enabled: setting[id],
  }))
  if (mode === 'automatic') return planOf(AUTOMATIC, doc_form)
  const rules = { pre_processing_rules, segmentation, parent_mode, subchunk_segmentation }
  return planOf({ mode, rules }, doc_form)
}

/** Cuts a tidied text by a plan, segment by segment, so that the first are there before the last are made. */
export function* cutUp(text: string, { cut, childCut }: Plan, countTokens: CountTokens): Generator<LabChunk> {
  for (const chunk of split(text, cut, countTokens)) {
    const children = childCut ? childrenOf(text, chunk, childCut, countTokens) : []
    yield { ...chunk, children, warnings: warningsOf(text, chunk, cut.max_tokens, childCut === null) }
  }
}

function childrenOf(text: string, { start, end }: Chunk, cut: NonNullable<Plan['childCut']>, countTokens: CountTokens) {
  const inside = text.slice(start, end)
  return [...split(inside, cut, countTokens)].map((piece) => ({
    start: start + piece.start,
    end: start + piece.end,
    tokens: piece.tokens,
    warnings: warningsOf(inside, piece, cut.max_tokens, true),
  }))
}
