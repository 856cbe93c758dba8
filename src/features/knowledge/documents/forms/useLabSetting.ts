import { useEffect, useEffectEvent } from 'react'
import { type ChunkSettingDraft, parseSettingDraft, toProcessRule } from '../../chunkLab/chunkSettingDraft.ts'
import { toSettingParam } from '../../chunkLab/chunkSettingParam.ts'
import { type DocumentFormApi, toProcessRuleForm } from './documentForm.ts'

/** Takes a setting of the chunk lab over into the form, once for each that comes by the URL. */
export function useLabSetting<Sent>(form: DocumentFormApi<Sent>, setting: ChunkSettingDraft | null): void {
  const apply = useEffectEvent(() => {
    if (!setting) return
    const rule = toProcessRule(parseSettingDraft(setting))
    form.setValue('doc_form', setting.doc_form, { shouldDirty: true })
    form.setValue('process_rule', toProcessRuleForm(rule, form.getValues('process_rule')), { shouldDirty: true })
  })
  const text = setting && toSettingParam(setting)
  useEffect(() => {
    if (text !== null) apply()
  }, [text])
}
