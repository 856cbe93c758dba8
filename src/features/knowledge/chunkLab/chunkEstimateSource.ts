import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'
import type { ChunkSetting } from './worker/labChunking.ts'
import { type ProcessRuleInput, toProcessRule, settingFromRule } from './chunkSettingDraft.ts'
import type { ChunkingView } from './useChunking.ts'

/** What the lab made of one source by one setting. */
export interface EstimatedSource {
  source: File | string
  setting: ChunkSetting
  counts: Pick<ChunkEstimate, 'segments' | 'children' | 'tokens' | 'words' | 'characters' | 'measure'>
}

/** A cut that has come to its end as an estimate of its source; null before. */
export function toEstimatedSource({ input, stats, totals }: ChunkingView, file: File | null): EstimatedSource | null {
  if (!input || !totals) return null
  const { segments, children } = stats
  return {
    source: file ?? input.text,
    setting: input.setting,
    counts: { segments, children, ...totals, measure: input.measure },
  }
}

export interface SentDocumentRule {
  doc_form?: string | undefined
  process_rule?: ProcessRuleInput | undefined
}

/** The estimate of what is sent; null where the lab has cut something else, or by another rule than goes with it. */
export function findMatchingEstimate(
  estimated: EstimatedSource | null,
  source: File | string,
  sent: SentDocumentRule,
): ChunkEstimate | null {
  if (estimated?.source !== source) return null
  const { setting, counts } = estimated
  const isRuleSent = sent.process_rule !== undefined
  if (sent.process_rule && !isSameSetting(settingFromRule(sent.process_rule, setting.doc_form), setting)) return null
  if (isRuleSent && (sent.doc_form ?? 'text_model') !== setting.doc_form) return null
  return {
    ...counts,
    doc_form: setting.doc_form,
    process_rule: toProcessRule(setting) as ChunkEstimate['process_rule'],
    isRuleSent,
  }
}

const isSameSetting = (one: ChunkSetting, other: ChunkSetting): boolean =>
  JSON.stringify(toProcessRule(one)) === JSON.stringify(toProcessRule(other))
