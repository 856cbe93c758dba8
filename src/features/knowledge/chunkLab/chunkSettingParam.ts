import { z } from 'zod'
import { type ChunkSettingDraft, toSettingDraft } from './chunkSettingDraft.ts'
import { defaultChunkSetting } from './worker/labChunking.ts'

const defaults = toSettingDraft(defaultChunkSetting)

const SplitRuleParam = z.tuple([z.string().max(255), z.string().max(16), z.string().max(16)])
const SettingParam = z.tuple([
  z.enum(['text_model', 'hierarchical_model']),
  z.enum(['automatic', 'custom', 'hierarchical']),
  SplitRuleParam,
  z.enum(['paragraph', 'full-doc']),
  SplitRuleParam,
  z.boolean(),
  z.boolean(),
])

/** A setting of the lab for the URL, as short as JSON allows. */
export function toSettingParam(draft: ChunkSettingDraft): string {
  const toRule = (rule: ChunkSettingDraft['segmentation']) => [rule.separator, rule.max_tokens, rule.chunk_overlap]
  return JSON.stringify([
    draft.doc_form === 'hierarchical_model' ? draft.doc_form : 'text_model',
    draft.mode,
    toRule(draft.segmentation),
    draft.parent_mode,
    toRule(draft.subchunk_segmentation),
    draft.remove_extra_spaces,
    draft.remove_urls_emails,
  ])
}

/** Null for a URL without a setting, and for an invalid one. */
export function parseSettingParam(text: string | undefined): ChunkSettingDraft | null {
  const parsed = SettingParam.safeParse(parseJson(text))
  if (!parsed.success) return null
  const [doc_form, mode, segmentation, parent_mode, subchunk_segmentation, remove_extra_spaces, remove_urls_emails] =
    parsed.data
  return {
    ...defaults,
    doc_form,
    mode,
    segmentation: fromRule(segmentation),
    parent_mode,
    subchunk_segmentation: fromRule(subchunk_segmentation),
    remove_extra_spaces,
    remove_urls_emails,
  }
}

const fromRule = ([separator, max_tokens, chunk_overlap]: z.output<typeof SplitRuleParam>) => ({
  separator,
  max_tokens,
  chunk_overlap,
})

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
