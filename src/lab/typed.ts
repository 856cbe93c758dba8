import type { z } from 'zod'
import type { DocForm, Segmentation } from '#contract/cutting/plan.ts'
import type { ProcessRule } from '#contract/shapes.ts'
import { numberOf } from '../ui/fields/typed.ts'
import { type Setting, usualSetting } from './cutting.ts'

/** A cut as it is typed: text, so that what is wrong can stand in its field. */
export interface TypedCut {
  separator: string
  max_tokens: string
  chunk_overlap: string
}
export interface TypedSetting extends Omit<Setting, 'segmentation' | 'subchunk_segmentation'> {
  segmentation: TypedCut
  subchunk_segmentation: TypedCut
}

export type Rule = z.input<typeof ProcessRule>

/** A separator keeps its escapes: the cut itself reads `\n` as a new line, as the platform does. */
export const settingOf = (typed: TypedSetting): Setting => ({
  ...typed,
  segmentation: cutOf(typed.segmentation),
  subchunk_segmentation: cutOf(typed.subchunk_segmentation),
})

export const typedOf = (setting: Setting): TypedSetting => ({
  ...setting,
  segmentation: typedCutOf(setting.segmentation),
  subchunk_segmentation: typedCutOf(setting.subchunk_segmentation),
})

const cutOf = ({ separator, max_tokens, chunk_overlap }: TypedCut): Segmentation => ({
  separator,
  max_tokens: numberOf(max_tokens) ?? NaN,
  chunk_overlap: numberOf(chunk_overlap) ?? NaN,
})
const typedCutOf = ({ separator, max_tokens, chunk_overlap }: Segmentation): TypedCut => ({
  separator: separator.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'),
  max_tokens: String(max_tokens),
  chunk_overlap: String(chunk_overlap),
})

/** The setting that a process rule (the body of operations 3 to 5) asks for. */
export function settingOfRule(rule: Rule, doc_form: DocForm): Setting {
  const { mode, rules } = rule
  const enabled = (id: string) => rules?.pre_processing_rules?.some((one) => one.id === id && one.enabled) ?? false
  return {
    doc_form,
    mode: mode === 'automatic' || mode === 'hierarchical' ? mode : 'custom',
    remove_extra_spaces: enabled('remove_extra_spaces'),
    remove_urls_emails: enabled('remove_urls_emails'),
    segmentation: { ...usualSetting.segmentation, ...rules?.segmentation },
    parent_mode: rules?.parent_mode === 'full-doc' ? 'full-doc' : 'paragraph',
    subchunk_segmentation: { ...usualSetting.subchunk_segmentation, ...rules?.subchunk_segmentation },
  }
}

/** The process rule that asks for a setting. */
export function ruleOf(setting: Setting): Rule {
  const { mode, segmentation, parent_mode, subchunk_segmentation } = setting
  if (mode === 'automatic') return { mode }
  const pre_processing_rules = (['remove_extra_spaces', 'remove_urls_emails'] as const).map((id) => ({
    id,
    enabled: setting[id],
  }))
  const hierarchical = mode === 'hierarchical' ? { parent_mode, subchunk_segmentation } : {}
  return { mode, rules: { pre_processing_rules, segmentation, ...hierarchical } }
}
