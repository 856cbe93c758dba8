import type { z } from 'zod'
import type { DocumentFormKind, Segmentation } from '#domain/chunking/chunkingPlan.ts'
import type { ProcessRule } from '#contract/platform/schemas.ts'
import { parseNumberField } from '../../../components/forms/fieldParsers.ts'
import { type ChunkSetting, defaultChunkSetting } from './worker/labChunking.ts'

/** A setting as typed: text, so that errors can be shown at its fields. */
interface SplitRuleDraft {
  separator: string
  max_tokens: string
  chunk_overlap: string
}
export interface ChunkSettingDraft extends Omit<ChunkSetting, 'segmentation' | 'subchunk_segmentation'> {
  segmentation: SplitRuleDraft
  subchunk_segmentation: SplitRuleDraft
}

export type ProcessRuleInput = z.input<typeof ProcessRule>

/** A separator keeps its escapes: the cut itself reads `\n` as a new line, as the platform does. */
export const parseSettingDraft = (draft: ChunkSettingDraft): ChunkSetting => ({
  ...draft,
  segmentation: parseSplitRuleDraft(draft.segmentation),
  subchunk_segmentation: parseSplitRuleDraft(draft.subchunk_segmentation),
})

export const toSettingDraft = (setting: ChunkSetting): ChunkSettingDraft => ({
  ...setting,
  segmentation: toSplitRuleDraft(setting.segmentation),
  subchunk_segmentation: toSplitRuleDraft(setting.subchunk_segmentation),
})

const parseSplitRuleDraft = ({ separator, max_tokens, chunk_overlap }: SplitRuleDraft): Segmentation => ({
  separator,
  max_tokens: parseNumberField(max_tokens) ?? NaN,
  chunk_overlap: parseNumberField(chunk_overlap) ?? NaN,
})
const toSplitRuleDraft = ({ separator, max_tokens, chunk_overlap }: Segmentation): SplitRuleDraft => ({
  separator: separator.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'),
  max_tokens: String(max_tokens),
  chunk_overlap: String(chunk_overlap),
})

/** The setting that a process rule (the body of operations 3 to 5) asks for. */
export function settingFromRule(rule: ProcessRuleInput, doc_form: DocumentFormKind): ChunkSetting {
  const { mode, rules } = rule
  const enabled = (id: string) => rules?.pre_processing_rules?.some((one) => one.id === id && one.enabled) ?? false
  return {
    doc_form,
    mode: mode === 'automatic' || mode === 'hierarchical' ? mode : 'custom',
    remove_extra_spaces: enabled('remove_extra_spaces'),
    remove_urls_emails: enabled('remove_urls_emails'),
    segmentation: { ...defaultChunkSetting.segmentation, ...rules?.segmentation },
    parent_mode: rules?.parent_mode === 'full-doc' ? 'full-doc' : 'paragraph',
    subchunk_segmentation: { ...defaultChunkSetting.subchunk_segmentation, ...rules?.subchunk_segmentation },
  }
}

export function toProcessRule(setting: ChunkSetting): ProcessRuleInput {
  const { mode, segmentation, parent_mode, subchunk_segmentation } = setting
  if (mode === 'automatic') return { mode }
  const pre_processing_rules = (['remove_extra_spaces', 'remove_urls_emails'] as const).map((id) => ({
    id,
    enabled: setting[id],
  }))
  const hierarchical = mode === 'hierarchical' ? { parent_mode, subchunk_segmentation } : {}
  return { mode, rules: { pre_processing_rules, segmentation, ...hierarchical } }
}

/** The platform's usual bound of `max_tokens`. */
export const MAX_CHUNK_TOKENS = 4000

type ChunkSettingError = 'separatorError' | 'tokensError' | 'overlapError'
export type ChunkSettingErrors = Partial<
  Record<`${'segmentation' | 'subchunk_segmentation'}.${keyof Segmentation}`, ChunkSettingError>
>

/** Why a setting cannot cut, at the fields where it is so; empty where it can. */
export function findSettingErrors({
  mode,
  segmentation,
  subchunk_segmentation,
  parent_mode,
}: ChunkSetting): ChunkSettingErrors {
  if (mode === 'automatic') return {}
  return {
    ...(mode === 'hierarchical' && parent_mode === 'full-doc'
      ? {}
      : findSegmentationErrors('segmentation', segmentation)),
    ...(mode === 'hierarchical' ? findSegmentationErrors('subchunk_segmentation', subchunk_segmentation) : {}),
  }
}

function findSegmentationErrors(
  part: 'segmentation' | 'subchunk_segmentation',
  given: Segmentation,
): ChunkSettingErrors {
  const { separator, max_tokens, chunk_overlap } = given
  const isTokens = Number.isInteger(max_tokens) && max_tokens >= 1 && max_tokens <= MAX_CHUNK_TOKENS
  const isOverlap = Number.isInteger(chunk_overlap) && chunk_overlap >= 0 && (!isTokens || chunk_overlap < max_tokens)
  return {
    ...(separator === '' ? { [`${part}.separator`]: 'separatorError' } : {}),
    ...(isTokens ? {} : { [`${part}.max_tokens`]: 'tokensError' }),
    ...(isOverlap ? {} : { [`${part}.chunk_overlap`]: 'overlapError' }),
  }
}
