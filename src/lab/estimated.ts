import type { Estimate } from '#contract/estimate.ts'
import type { Setting } from './cutting.ts'
import { type Rule, ruleOf, settingOfRule } from './typed.ts'
import type { CutView } from './useCut.ts'

/** What the lab made of one source by one setting. */
export interface Estimated {
  source: File | string
  setting: Setting
  counts: Pick<Estimate, 'segments' | 'children' | 'tokens' | 'words' | 'characters'>
}

/** A cut that has come to its end as an estimate of its source; null before. */
export function estimatedOf({ of, figures, totals }: CutView, file: File | null): Estimated | null {
  if (!of || !totals) return null
  const { segments, children } = figures
  return { source: file ?? of.text, setting: of.setting, counts: { segments, children, ...totals } }
}

export interface Sent {
  doc_form?: string | undefined
  process_rule?: Rule | undefined
}

/** The estimate of what is sent; null where the lab has cut something else, or by another rule than goes with it. */
export function estimateOf(estimated: Estimated | null, source: File | string, sent: Sent): Estimate | null {
  if (estimated?.source !== source) return null
  const { setting, counts } = estimated
  const isRuleSent = sent.process_rule !== undefined
  if (sent.process_rule && !isSame(settingOfRule(sent.process_rule, setting.doc_form), setting)) return null
  if (isRuleSent && (sent.doc_form ?? 'text_model') !== setting.doc_form) return null
  return {
    ...counts,
    doc_form: setting.doc_form,
    process_rule: ruleOf(setting) as Estimate['process_rule'],
    isRuleSent,
  }
}

const isSame = (one: Setting, other: Setting): boolean => JSON.stringify(ruleOf(one)) === JSON.stringify(ruleOf(other))
